// Elements from data. Text is always a text node: nothing that a person wrote becomes markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, given, children) {
  for (const [key, value] of Object.entries(given || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'value' && 'value' in node) node.value = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

export const h = (tag, given, ...children) => fill(document.createElement(tag), given, children);
export const s = (tag, given, ...children) => fill(document.createElementNS(SVG, tag), given, children);

const status = () => document.getElementById('status');
let timer = 0;
export function say(text, stays = false) {
  clearTimeout(timer);
  status().textContent = text;
  if (text && !stays) timer = setTimeout(() => { status().textContent = ''; }, 5000);
}

export const signed = (x, n = 3) => x === null || x === undefined ? '–' : (x < 0 ? '−' : '+') + Math.abs(x).toFixed(n);
// Half a 95% interval of a sampled value.
export const plusMinus = (error) => error ? h('span', { class: 'muted pm' }, ` ± ${(1.96 * error).toFixed(3)}`) : null;
// A value with its error; one that rests on few visits or guesses is marked.
export const valued = (value, error, few = false, digits = 3) => value === null || value === undefined ? '–' : [few ? h('span', { title: 'rests on fewer than 100 visits of training' }, `~${signed(value, digits)}?`) : signed(value, digits), plusMinus(error)];
export const percent = (x, n = 0) => x === null || x === undefined ? '–' : (100 * x).toFixed(n) + '%';

// One attempt at a time, errors said in one line.
export async function attempt(work, waiting = '') {
  try {
    if (waiting) say(waiting, true);
    const found = await work();
    if (waiting) say('');
    return found;
  } catch (error) {
    say(error.message);
    return null;
  }
}

export function choose(label, options, value, onchange) {
  const select = h('select', { id: `set-${label.toLowerCase().replaceAll(' ', '-')}`, onchange: (event) => onchange(event.target.value) },
    options.map(([key, text]) => h('option', { value: key, selected: String(key) === String(value) }, text)));
  return h('label', null, label, select);
}

export function link(href, text, given = {}) { return h('a', { href, 'data-link': true, ...given }, text); }

// A head may name a class after a bar: "Worth|num".
export function table(heads, rows, caption) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', null, h('thead', null, h('tr', null, heads.map((one) => { const [text, kind] = one.split('|'); return h('th', { scope: 'col', class: kind }, text); }))),
      h('tbody', null, rows)));
}

// Replace what a node holds; nothing is shown for null.
export function put(node, ...children) { node.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false)); }

// Work that the server reports on: how far it is, and a button that ends it.
export function progress(now, cancel) {
  const p = now.progress || {};
  const far = p.of ? `${p.doing}: ${p.done} of ${p.of}${p.unit ? ` ${p.unit}` : ''}` : `${p.doing || 'working'}: ${Math.round(now.seconds)} s`;
  return h('p', { class: 'row progress' }, h('progress', { 'aria-label': 'Progress', max: p.of || null, value: p.of ? p.done : null }), far[0].toUpperCase() + far.slice(1), h('button', { class: 'quiet', onclick: cancel }, 'Cancel'));
}
