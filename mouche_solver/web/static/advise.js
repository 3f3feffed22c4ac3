// Advise: set dice or cards and the history by clicking; the answer follows every click.
import { post } from './api.js';
import { choose, h, link, percent } from './dom.js';
import { bar, card, die } from './pictures.js';
import { claim, drawn, options, unit } from './shared.js';

const state = { game: 'dice', players: 2, wild: '', hand: [5, 5, 2, 1, 6], claims: ['3x5'], face: 5, cards: { players: 4, hand: [], turned: '', declared: [], laid: [], played: [], pick: 'hand' } };
const packs = new Map();

export async function render(root) {
  const controls = h('div', { class: 'panel' }), answer = h('div', { id: 'answer', 'aria-live': 'polite' });
  root.append(h('h1', null, 'Advise'), h('p', { class: 'lead' }, 'Set what you see; the strategy answers.'), h('div', { class: 'cols' }, controls, answer));
  let turn = 0;
  const redraw = async (focus) => {
    controls.replaceChildren(h('div', { class: 'row', role: 'group', 'aria-label': 'Game' }, ['dice', 'cards'].map((g) => h('button', { id: `game-${g}`, 'aria-pressed': String(state.game === g), onclick: () => { state.game = g; redraw(`game-${g}`); } }, g === 'dice' ? 'Dice' : 'Cards'))),
      ...(state.game === 'dice' ? diceControls(redraw) : await cardControls(redraw)));
    if (focus) document.getElementById(focus)?.focus();
    ask();
  };
  const ask = async () => {
    const mine = ++turn;
    const slow = setTimeout(() => { if (mine === turn) answer.replaceChildren(h('div', { class: 'panel' }, h('p', { class: 'muted' }, 'Thinking…'))); }, 400);
    try {
      const show = (nodes) => { if (mine === turn) answer.replaceChildren(...nodes); };
      if (state.game === 'dice') await diceAnswer(show, () => mine === turn); else show(await cardAnswer());
    } catch (error) { if (mine === turn) answer.replaceChildren(h('div', { class: 'panel' }, h('p', { class: 'error' }, error.message))); } finally { clearTimeout(slow); }
  };
  await redraw();
}

const diceRules = () => ({ dice: Array(state.players).fill(5), ...(state.wild ? { wild: 1 } : {}) });

function diceControls(redraw) {
  const quantities = Array.from({ length: 5 * state.players }, (_, n) => n + 1);
  return [h('div', { class: 'row end gap' }, choose('Players', [2, 3, 4, 5, 6].map((n) => [n, String(n)]), state.players, (v) => { state.players = Number(v); state.claims = []; redraw(); }), choose('Ones wild', [['', 'no'], ['1', 'yes']], state.wild, (v) => { state.wild = v; redraw(); })),
    h('fieldset', { class: 'gap' }, h('legend', null, 'Your dice (click to turn)'), h('div', { class: 'row' }, state.hand.map((f, n) => h('button', { class: 'pic', id: `die-${n}`, 'aria-label': `Die ${n + 1} shows ${f}; turn it`, onclick: () => { state.hand[n] = f % 6 + 1; redraw(`die-${n}`); } }, die(f))))),
    h('fieldset', { class: 'gap' }, h('legend', null, 'Claims so far'), h('ol', { class: 'line' }, state.claims.map((c) => h('li', null, claim(c)))), h('p', { class: 'gap row' }, h('button', { id: 'back', disabled: !state.claims.length, onclick: () => { state.claims.pop(); redraw('back'); } }, 'Take the last back'), h('button', { id: 'clear', disabled: !state.claims.length, onclick: () => { state.claims = []; redraw(); } }, 'None'))),
    h('fieldset', { class: 'gap' }, h('legend', null, 'Add a claim: face, then quantity'), h('div', { class: 'row' }, [1, 2, 3, 4, 5, 6].map((f) => h('button', { class: 'pic', id: `add-${f}`, 'aria-label': `Face ${f}`, 'aria-pressed': String(state.face === f), onclick: () => { state.face = f; redraw(`add-${f}`); } }, die(f)))),
      h('div', { class: 'row gap' }, quantities.map((n) => h('button', { 'data-add': n, 'aria-label': `${n} times face ${state.face}`, onclick: () => { state.claims.push(`${n}x${state.face}`); redraw('back'); } }, n))))];
}

// At tables of three and more values take a moment longer than the mix, which is shown first.
async function diceAnswer(show, current) {
  const history = state.claims.join(','), hand = state.hand.join(',');
  const body = { rules: diceRules(), history, hand };
  const first = await post('/dice/position', { ...body, values: false });
  show(diceNodes(first, history, hand, first.sampled));
  if (first.sampled && current()) show(diceNodes(await post('/dice/position', body), history, hand));
}

function diceNodes(found, history, hand, waits = false) {
  const query = new URLSearchParams({ game: 'dice', dice: diceRules().dice.join(','), ...(state.wild ? { wild: 1 } : {}), history, hand });
  return [h('section', { class: 'panel', 'aria-label': 'Advice' }, h('h2', null, drawn(found.advice.reason)), h('p', { class: 'muted' }, waits ? 'Playing the round on in guessed deals…' : found.note), unit('dice', {}, state.players), options(found.advice.options.filter((o) => o.probability >= 0.0005 || (o.value ?? -1) > -0.9)), h('p', { class: 'gap' }, link(`/explore?${query}`, 'Find this position in Explore', { class: 'button' }))),
    h('section', { class: 'panel', 'aria-label': 'Ranges' }, h('h2', null, 'What the others hold'), found.ranges.filter((r) => r.player !== found.player).map((r) => [h('h3', null, `Player ${r.player + 1}: dice expected of each face`), r.expected.map((x, n) => h('div', { class: 'row' }, die(n + 1, true), h('span', { class: 'grow' }, bar(x / 2.5, x.toFixed(2))), h('span', { class: 'muted' }, x.toFixed(2))))])),
    h('p', { class: 'muted' }, found.quality)];
}

async function cardControls(redraw) {
  const c = state.cards;
  if (!packs.has(c.players)) packs.set(c.players, await post('/cards/pack', { rules: { players: c.players } }));
  const pack = packs.get(c.players);
  const places = [['hand', 'Hand'], ['turned', 'Turn-up'], ...(c.declared.length === c.players ? [['laid', 'Laid down'], ['played', 'Played']] : [])];
  const where = (name) => c.hand.includes(name) ? 'hand' : c.turned === name ? 'turned' : c.laid.includes(name) ? 'laid' : c.played.includes(name) ? 'played' : '';
  const toggle = (name) => {
    const was = where(name);
    if (was === 'turned') c.turned = ''; else if (was) c[was] = c[was].filter((x) => x !== name);
    else if (c.pick === 'turned') c.turned = name;
    else if (c.pick === 'hand' && c.hand.length >= pack.hand_size) return;
    else c[c.pick].push(name);
    if (c.pick === 'hand' && c.hand.length === pack.hand_size && !c.turned) c.pick = 'turned';
    redraw(`pick-${name}`);
  };
  return [h('div', { class: 'row end gap' }, choose('Players', [3, 4, 5, 6].map((n) => [n, String(n)]), c.players, (v) => { Object.assign(c, { players: Number(v), hand: [], turned: '', declared: [], laid: [], played: [], pick: 'hand' }); redraw(); })),
    h('fieldset', { class: 'gap' }, h('legend', null, 'Declared before you, seat by seat'), h('ol', { class: 'line' }, c.declared.map((w) => h('li', null, typeof w === 'number' ? `exchange ${w}` : w))),
      h('div', { class: 'row gap' }, ['pass', 'stand', 1, 2, 3, 4, 5].map((w) => h('button', { disabled: c.declared.length >= c.players, onclick: () => { c.declared.push(w); redraw('undeclare'); } }, typeof w === 'number' ? `Exchange ${w}` : w[0].toUpperCase() + w.slice(1))), h('button', { id: 'undeclare', disabled: !c.declared.length, onclick: () => { c.declared.pop(); redraw('undeclare'); } }, 'Take back'))),
    h('fieldset', { class: 'gap' }, h('legend', null, 'Cards: choose a place, then click cards'), h('div', { class: 'row' }, places.map(([key, text]) => h('button', { id: `place-${key}`, 'aria-pressed': String(c.pick === key), onclick: () => { c.pick = key; redraw(`place-${key}`); } }, `${text}: ${key === 'turned' ? c.turned || '–' : c[key].length}`))),
      h('div', { class: 'hand gap' }, pack.cards.map((name) => h('button', { class: `pic ${where(name)}`, id: `pick-${name}`, 'data-pick': name, 'aria-pressed': String(Boolean(where(name))), title: where(name), onclick: () => toggle(name) }, card(name, true)))))];
}

async function cardAnswer() {
  const c = state.cards, pack = packs.get(c.players);
  if (!c.turned || (c.hand.length < pack.hand_size && c.declared.length < c.players) || !c.hand.length) return [h('div', { class: 'panel' }, h('p', { class: 'muted' }, `Choose ${pack.hand_size} cards and the turn-up.`))];
  const inside = c.declared.filter((w) => w !== 'pass').length || 1;
  const tricks = [];
  for (let n = 0; n < c.played.length; n += inside) tricks.push(c.played.slice(n, n + inside));
  const body = { rules: { players: c.players }, hand: c.hand.join(' '), turned: c.turned, declared: c.declared, laid: c.laid.join(' '), played: tricks };
  if (c.declared.length === c.players) {
    const seats = c.declared.map((w, n) => w === 'pass' ? -1 : n).filter((n) => n >= 0);
    body.seat = seats.find((n) => (c.declared[n] === 'stand' ? 0 : c.declared[n]) === c.laid.length) ?? seats[0];
  }
  const found = await post('/cards/advice', body);
  return [h('section', { class: 'panel', 'aria-label': 'Advice' }, h('h2', null, drawn(found.reason[0].toUpperCase() + found.reason.slice(1))), unit('cards', found.rules), options(found.options), found.notes.map((n) => h('p', { class: 'muted gap' }, n))),
    found.ranges.length ? h('section', { class: 'panel', 'aria-label': 'Ranges' }, h('h2', null, 'Trumps dealt to the others'), found.ranges.map((r) => [h('h3', null, `Seat ${r.seat + 1}`), r.trumps.map((x, n) => h('div', { class: 'row' }, h('span', null, n), h('span', { class: 'grow' }, bar(x, percent(x))), h('span', { class: 'muted' }, percent(x))))])) : null,
    h('p', { class: 'muted' }, found.quality)].filter(Boolean);
}
