// Review: paste or upload a written game, step through it, sort, filter, export.
import { get, job, post } from './api.js';
import { attempt, choose, h, link, progress, put, say, signed, table } from './dom.js';
import { action, decision, findIt, mark } from './shared.js';

const EXAMPLE = '5,5,2,1,6 / 3,3,4,5,6 : 3x5 4x5 doubt\n';

export async function render(root, room) {
  const { files } = await get('/files');
  const given = JSON.parse(sessionStorage.getItem('review') || 'null');
  const state = { rules: given?.rules || { dice: [5, 5], points: 3 }, at: 0, player: '', marks: '', sort: 'number', found: null };
  const text = h('textarea', { id: 'text', 'aria-label': 'Written game', spellcheck: 'false', value: given?.text || '' , placeholder: EXAMPLE });
  const out = h('div', { id: 'reviewed' });
  const dice = h('input', { id: 'dice', value: state.rules.dice.join(','), size: 9, 'aria-describedby': 'dice-note' });
  const points = h('input', { value: state.rules.points ?? 3, size: 4 });
  const wild = h('select', null, h('option', { value: '' }, 'no'), h('option', { value: '1', selected: state.rules.wild === 1 }, 'yes'));
  const numbers = (value) => value.split(',').map((x) => Number(x.trim()));
  const rules = () => {
    const points_ = numbers(points.value);
    const found = { ...state.rules, dice: numbers(dice.value), points: points_.length === 1 ? points_[0] : points_ };
    found.wild = wild.value ? Number(wild.value) : null;
    return found;
  };
  const judge = files.length ? h('select', { id: 'judge' }, h('option', { value: '' }, 'the shipped strategy'), files.map((f) => h('option', { value: f.name }, f.name))) : null;
  const body = () => ({ ...written(), ...(judge?.value ? { file: judge.value } : {}) });
  const written = () => text.value.trimStart().startsWith('mouche-cards') ? { text: text.value } : { text: text.value, rules: rules() };

  const run = async () => {
    if (!text.value.trim()) { put(out, h('p', { class: 'error', role: 'alert' }, 'Paste a written match or game first, or try the example.')); text.focus(); return; }
    put(out);
    state.judge = judge?.value;
    try {
      state.found = await job({ kind: 'review', ...body() }, (now, cancel) => put(out, now.state === 'running' ? h('div', { class: 'panel' }, progress(now, cancel)) : null));
      state.at = 0;
      draw();
    } catch (error) { put(out, h('p', { class: 'error', role: 'alert' }, error.message)); }
  };
  const keep = async (number) => {
    const found = await attempt(() => post('/review/keep', { review: state.found.id, player: state.player || undefined, number }));
    if (!found) return;
    if (number) room.go(`/drill?game=${state.found.game}&key=${found.keys[0]}`);
    else say(found.kept ? `${found.kept} positions wait in Drill.` : 'No decision is marked: nothing to drill.');
  };
  const save = async (layout, type) => {
    const found = await attempt(() => post('/review', { ...body(), format: layout }));
    if (!found) return;
    const blob = new Blob([typeof found === 'string' ? found : JSON.stringify(found, null, 2)], { type });
    const a = h('a', { href: URL.createObjectURL(blob), download: `review.${layout === 'markdown' ? 'md' : layout}` });
    a.click();
    URL.revokeObjectURL(a.href);
  };

  function draw() {
    const focused = document.activeElement?.id;
    const review = state.found;
    let list = review.decisions.filter((d) => (!state.player || d.player === state.player) && (!state.marks || (state.marks === 'any' ? d.mark : d.mark === state.marks)));
    if (state.sort === 'loss') list = [...list].sort((a, b) => (b.loss ?? -1) - (a.loss ?? -1));
    state.at = Math.max(0, Math.min(state.at, list.length - 1));
    const set = (key) => (value) => { state[key] = value; state.at = 0; draw(); };
    const step = (n) => { state.at += n; draw(); document.getElementById(n < 0 ? 'before' : 'after')?.focus(); };
    put(out,
      h('section', { class: 'panel', 'aria-label': 'Players' }, h('h2', null, 'Players'), table(['Player', 'Lost|num', 'Per hard decision|num', 'Inaccuracies|num', 'Mistakes|num', 'Blunders|num', 'Result|num', 'Skill|num', 'Luck|num'],
        review.totals.map((t) => h('tr', { 'data-player': t.player }, h('td', null, t.player), h('td', { class: 'num lost' }, t.loss.toFixed(4)), h('td', { class: 'num' }, t.error_per_decision === null ? '–' : t.error_per_decision.toFixed(4)),
          ...['inaccuracy', 'mistake', 'blunder'].map((m) => h('td', { class: 'num' }, t[m])), ...['result', 'skill', 'luck'].map((k) => h('td', { class: 'num' }, signed(t[k], 2))))), 'Totals'),
        h('p', { class: 'muted gap' }, `In ${review.unit}. ${review.quality}${review.no_split ? ` (${review.no_split})` : ''}`),
        h('div', { class: 'row' }, h('button', { id: 'keep', onclick: () => keep() }, 'Drill the mistakes'),
          [['json', 'application/json'], ['csv', 'text/csv'], ['markdown', 'text/markdown'], ['html', 'text/html']].map(([l, t]) => h('button', { class: 'quiet', onclick: () => save(l, t) }, `Save ${({ json: 'JSON', csv: 'CSV', markdown: 'Markdown', html: 'HTML' })[l]}`)))),
      h('div', { class: 'cols' },
        h('section', { class: 'panel', 'aria-label': 'Decisions' }, h('h2', null, 'Decisions'), h('div', { class: 'row end' },
          choose('Player', [['', 'all'], ...review.players.map((p) => [p, p])], state.player, set('player')),
          choose('Marks', [['', 'all'], ['any', 'marked'], ['blunder', 'blunders'], ['mistake', 'mistakes'], ['inaccuracy', 'inaccuracies']], state.marks, set('marks')),
          choose('Order', [['number', 'as played'], ['loss', 'by loss']], state.sort, set('sort'))),
          list.length ? table(['No.', 'Player', 'Action', 'Lost|num', 'Mark'], list.map((d, n) => h('tr', { class: n === state.at ? 'picked' : null },
            h('td', null, h('button', { class: 'quiet', 'aria-label': `Show decision ${d.number}`, onclick: () => { state.at = n; draw(); } }, d.number)), h('td', null, d.player), h('td', null, action(d.action)), h('td', { class: 'num' }, d.loss === null ? '–' : d.loss.toFixed(3)), h('td', null, mark(d.mark)))), 'List of decisions') : h('p', { class: 'muted gap' }, 'None.')),
        list.length ? h('section', { class: 'panel', 'aria-label': 'One decision' }, h('div', { class: 'row' }, h('button', { id: 'before', disabled: state.at === 0, onclick: () => step(-1) }, 'Before'), h('button', { id: 'after', disabled: state.at === list.length - 1, onclick: () => step(1) }, 'Next'), h('span', { class: 'muted' }, `Decision ${list[state.at].number}, ${review.game === 'dice' ? 'round' : 'deal'} ${list[state.at].part}`)),
          h('div', { class: 'gap' }, decision(review, list[state.at])), h('p', { class: 'row gap' }, list[state.at].loss ? h('button', { id: 'drill-it', onclick: () => keep(list[state.at].number) }, 'Drill this') : null, link(findIt(review, list[state.at], state.judge), 'Open in Explore', { class: 'button', id: 'find' }))) : null));
    if (focused) document.getElementById(focused)?.focus();
  }

  root.append(h('h1', null, 'Review'), h('p', { class: 'lead' }, 'Paste a written match or game: every decision is priced, and the result is told apart into skill and luck.'),
    h('div', { class: 'panel' }, text, h('div', { class: 'row end gap' },
      h('label', null, 'Dice of each seat', dice), h('label', null, 'Points', points), h('label', null, 'Ones wild', wild),
      h('label', null, 'Or a file', h('input', { type: 'file', accept: '.txt,text/plain', onchange: async (event) => { const file = event.target.files[0]; if (!file) return; if (file.size > 1e6) { say('The file is larger than 1 MB.'); return; } text.value = await file.text(); } })),
      judge ? h('label', null, 'Judged by', judge) : null,
      h('button', { class: 'main', id: 'go', onclick: run }, 'Review'), h('button', { class: 'quiet', id: 'example', onclick: () => { text.value = EXAMPLE; run(); } }, 'Try an example')),
      h('p', { class: 'muted gap', id: 'dice-note' }, 'Dice: a round a line, the cups, a colon and the claims, as 5,5,2,1,6 / 3,3,4,5,6 : 3x5 4x5 doubt. Cards: a transcript, which holds its own rules. Games that you play here are reviewed at the table.')), out);
  if (given) { sessionStorage.removeItem('review'); setTimeout(run); }
}
