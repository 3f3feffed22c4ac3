// Explore: the tree of a strategy; every position has an address.
import { get, post } from './api.js';
import { attempt, choose, h, link, percent, plusMinus, put, say, signed, table, valued } from './dom.js';
import { bar, card, die, stack, suitName, withSuits } from './pictures.js';
import { action, claim, drawn, options, rulesOf, unit } from './shared.js';

export async function render(root, room) {
  const q = room.query;
  const { files } = await get('/files');
  const file = files.find((f) => f.name === q.get('file'));
  const cards = (file?.game ?? q.get('game')) === 'cards';
  root.append(h('h1', null, 'Explore'), h('p', { class: 'lead' }, 'Click through the tree of a strategy. The address of each position can be kept and shared.'),
    h('div', { class: 'row', role: 'group', 'aria-label': 'Game' }, link('/explore', 'Dice', { class: 'button', 'aria-current': !file && !cards ? 'true' : null }), link('/explore?game=cards&players=4', 'Cards', { class: 'button', 'aria-current': !file && cards ? 'true' : null }),
      files.map((f) => link(`/explore?game=${f.game}&file=${encodeURIComponent(f.name)}`, f.name, { class: 'button', title: f.what, 'aria-current': f === file ? 'true' : null }))), h('p'));
  if (q.get('file') && !file) { root.append(h('p', { class: 'error', role: 'alert' }, `No file ${q.get('file')} is open: start mouche serve with it.`)); return null; }
  if (!cards) return dice(root, room, q, file);
  return q.has('order') || q.has('deal') ? deal(root, room, q, file) : chart(root, room, q, file);
}

const address = (q, change) => { const next = new URLSearchParams(q); for (const [k, v] of Object.entries(change)) v === '' || v === null ? next.delete(k) : next.set(k, v); return `/explore?${next}`; };

async function dice(root, room, q, file) {
  const history = q.get('history') || '';
  const rules = { dice: (q.get('dice') || '5,5').split(',').map(Number) };
  if (q.get('wild')) rules.wild = Number(q.get('wild'));
  if (q.get('faces')) rules.faces = Number(q.get('faces'));
  const tables = [['5,5', 'two players'], ['5,5,5', 'three'], ['5,5,5,5', 'four'], ['5,5,5,5,5', 'five'], ['5,5,5,5,5,5', 'six'], ['2,2', 'two, two dice each'], ['1,1', 'two, one die each']];
  const now = rules.dice.join(',');
  if (!tables.some(([key]) => key === now)) tables.push([now, `dice ${now}`]);
  if (!file) root.append(h('div', { class: 'row end' }, choose('Table', tables, now, (v) => room.go(address(q, { dice: v, history: '', hand: '' }))),
    choose('Ones wild', [['', 'no'], ['1', 'yes']], q.get('wild') || '', (v) => room.go(address(q, { wild: v, history: '', hand: '' })))), h('p'));
  const body = { rules, history, hand: q.get('hand') || '', file: file?.name };
  const first = await attempt(() => post('/dice/position', { ...body, values: false }), 'Looking it up…');
  if (!first) { failed(root); return; }
  const place = h('div');
  root.append(place);
  put(place, position(q, first, first.sampled));
  // At tables of three and more values take a moment longer than the mix, which is shown first.
  if (first.sampled) post('/dice/position', body).then((found) => { if (room.current()) put(place, position(q, found)); }, (error) => say(error.message));
}

function position(q, found, waits = false) {
  const path = [link(address(q, { history: '', hand: '' }), 'Start'), ...found.history.map((c, n) => link(address(q, { history: found.history.slice(0, n + 1).join(','), hand: '' }), c))];
  return [h('nav', { 'aria-label': 'Claims so far', class: 'row' }, path.flatMap((p, n) => n ? [h('span', { 'aria-hidden': 'true' }, '›'), p] : [p])), h('p'),
    h('div', { class: 'cols' },
      h('section', { class: 'panel', 'aria-label': 'Actions' }, h('h2', null, `Player ${found.player + 1} is to act`),
        h('p', { class: 'muted' }, `The claims are spoken with a chance of ${percent(found.reach, 2)}. `, found.value === null ? '' : `The position is worth ${signed(found.value)} to the player to act. `, waits ? 'Playing the round on in guessed deals…' : found.note),
        unit('dice', {}, found.ranges.length), table(['Action', 'How often|bars', 'Share|num', 'Worth|num'], found.actions.filter((a) => a.probability >= 0.0005).sort((a, b) => b.probability - a.probability).map((a) => h('tr', null,
          h('td', null, a.action === 'doubt' ? 'doubt' : link(address(q, { history: [...found.history, a.action].join(','), hand: '' }), claim(a.action))),
          h('td', { class: 'bars' }, bar(a.probability, percent(a.probability))), h('td', { class: 'num' }, percent(a.probability, 1)), h('td', { class: 'num' }, signed(a.value), plusMinus(a.error)))), 'Actions over the whole range')),
      found.advice ? h('section', { class: 'panel', 'aria-label': 'One hand' }, h('h2', null, 'With ', found.advice.hand.split(',').map((f) => die(Number(f), true))), h('p', null, drawn(found.advice.reason)), options(found.advice.options.filter((o) => o.probability > 0.0005 || o.value > -0.9))) : null,
      h('section', { class: 'panel', 'aria-label': 'Ranges' }, h('h2', null, 'What the claims tell'), found.ranges.map((r) => [h('h3', null, `Player ${r.player + 1}: dice expected of each face`),
        h('div', null, r.expected.map((x, n) => h('div', { class: 'row' }, die(n + 1, true), h('span', { class: 'grow' }, bar(x / 2.5, x.toFixed(2))), h('span', { class: 'muted' }, x.toFixed(2))))) ])),
      h('section', { class: 'panel', 'aria-label': 'Hands' }, h('h2', null, 'Likeliest hands'), table(['Hand', 'Held|num', 'Does'], found.hands.map((x) => h('tr', null,
        h('td', { class: 'hand-of' }, link(address(q, { hand: x.hand }), x.hand.split(',').map((f) => die(Number(f), true)))), h('td', { class: 'num' }, percent(x.chance, 1)),
        h('td', null, x.mix.map((m, n) => [n ? ', ' : '', action(m.action), ` ${percent(m.probability)}`])))), 'Hands')),
    ), h('p', { class: 'muted' }, found.quality)];
}

const VARIANTS = [['', 'Mouche of 1718'], ['pamphile', 'with the Pamphile'], ['mushka', 'Mushka']];

function cardControls(root, room, q, file, players) {
  if (!file) root.append(h('div', { class: 'row end' }, choose('Players', [3, 4, 5, 6].map((n) => [n, String(n)]), players, (v) => room.go(`/explore?game=cards&players=${v}&variant=${q.get('variant') || ''}`)),
    choose('Game', VARIANTS, q.get('variant') || '', (v) => room.go(`/explore?game=cards&players=${players}&variant=${v}`))), h('p'));
}

function failed(root) { root.append(h('p', { class: 'error', role: 'alert' }, document.getElementById('status').textContent)); }

// One deal with open cards: declarations, then play, each click an address.
async function deal(root, room, q, file) {
  const players = file?.rules.players ?? Number(q.get('players') || 4), line = (q.get('line') || '').split(';').filter(Boolean);
  cardControls(root, room, q, file, players);
  const body = { rules: rulesOf(q), file: file?.name, order: q.get('order') || '', line };
  const found = await attempt(() => post('/cards/deal', body), 'Dealing…');
  if (!found) { failed(root); return; }
  const at = new URLSearchParams(q);
  at.delete('deal');
  at.set('order', found.order);
  if (q.has('deal')) history.replaceState(null, '', `/explore?${at}`);
  const to = (words) => address(at, { line: words.join(';') });
  const seat = (n) => `Seat ${n + 1}`;
  const path = [link(to([]), 'Dealt'), ...line.map((w, n) => link(to(line.slice(0, n + 1)), withSuits(w)))];
  const turn = found.turn, last = found.tricks[found.tricks.length - 1] || [];
  const place = h('div');
  const answer = (options_, notes) => put(place, options(options_), notes.map((n) => h('p', { class: 'muted gap' }, `${n[0].toUpperCase()}${n.slice(1)}.`)));
  answer(found.options, found.notes);
  const search = async () => { const more = await attempt(() => post('/cards/deal', { ...body, order: found.order, think: true }), 'Searching this decision…'); if (more) answer(more.options, more.notes); };
  const out = found.outcome;
  if (q.has('think') && !out && found.options.length) await search();
  root.append(h('nav', { 'aria-label': 'Actions so far', class: 'row' }, path.flatMap((p, n) => n ? [h('span', { 'aria-hidden': 'true' }, '›'), p] : [p])), h('p'),
    h('div', { class: 'felt row' }, h('figure', { class: 'turned' }, card(found.turned, true), h('figcaption', { class: 'muted' }, found.trump ? `trumps: ${suitName(found.trump)}` : 'turned up')),
      last.length ? h('ol', { class: 'line', 'aria-label': 'Trick' }, last.map((c) => h('li', null, h('small', { class: 'muted' }, seat(c.seat)), h('div', null, card(c.card, true))))) : null),
    h('div', { class: 'cols' },
      h('section', { class: 'panel', 'aria-label': 'Seats' }, h('h2', null, 'All cards'), found.seats.map((s) => h('div', { class: `seat gap${s.seat === turn ? ' turn' : ''}` }, h('b', null, seat(s.seat), s.seat === players - 1 ? ' (dealer)' : '', s.seat === turn ? ' is to act' : ''),
        h('small', null, s.declared ? `${s.declared === 'exchange' ? `exchanged ${s.laid.length}` : s.declared}` : 'has not spoken', s.tricks ? `, ${s.tricks} trick${s.tricks > 1 ? 's' : ''}` : ''),
        h('div', { class: 'hand' }, s.hand.map((c) => card(c, true)))))),
      h('section', { class: 'panel', 'aria-label': 'Actions' }, out ? [h('h2', null, 'The deal is over'), h('p', null, out.winner !== null ? `${seat(out.winner)} takes the pot${out.how === 'mouche' ? ' with a mouche' : ', alone'}. ` : 'The tricks are played. ', out.mouches.length ? `The mouche is on ${out.mouches.map(seat).join(', ')}.` : 'Nobody is mouche.')]
        : [h('h2', null, `What seat ${turn + 1} does`), h('p', { class: 'muted' }, 'The seat knows its own cards only. ', found.value === null ? '' : ['The position is worth ', valued(found.value, found.error, found.few), ' to it.']), unit('cards', found.rules), place,
          h('p', { class: 'row gap' }, h('span', { class: 'muted' }, 'Go on with'), found.options.map((o) => link(to([...line, o.action]), `${withSuits(o.action)} (${percent(o.probability)})`))),
          h('p', null, h('button', { id: 'search', onclick: search }, 'Search this decision'))]),
      found.ranges.some((r) => r.seat !== turn) && !out ? h('section', { class: 'panel', 'aria-label': 'Ranges' }, h('h2', null, 'What the declarations tell: trumps dealt'), found.ranges.map((r) => [h('h3', null, seat(r.seat)), r.trumps.map((x, n) => h('div', { class: 'row' }, h('span', null, n), h('span', { class: 'grow' }, bar(x, percent(x))), h('span', { class: 'muted' }, percent(x))))])) : null),
    h('p', { class: 'row' }, link(address(at, { order: '', line: '', deal: 'new' }), 'Another deal', { class: 'button' }), link(address(at, { order: '', line: '' }), 'The chart of all hands', { class: 'button' })),
    h('p', { class: 'muted' }, found.quality));
}

async function chart(root, room, q, file) {
  const players = file?.rules.players ?? Number(q.get('players') || 4);
  const declared = (q.get('declared') || '').split(',').filter(Boolean).map((w) => /^\d+$/.test(w) ? Number(w) : w);
  cardControls(root, room, q, file, players);
  const found = await attempt(() => post('/cards/chart', { rules: rulesOf(q), file: file?.name, declared }), 'Looking it up…');
  if (!found) { failed(root); return; }
  const word = (w) => typeof w === 'number' || /^\d+$/.test(w) ? `exchange ${w}` : w;
  const names = found.kinds.map(word);
  const path = [link(address(q, { declared: '' }), 'Start'), ...declared.map((w, n) => link(address(q, { declared: declared.slice(0, n + 1).join(',') }), word(w)))];
  root.append(h('nav', { 'aria-label': 'Declarations so far', class: 'row' }, path.flatMap((p, n) => n ? [h('span', { 'aria-hidden': 'true' }, '›'), p] : [p])), h('p'),
    h('section', { class: 'panel', 'aria-label': 'Chart' }, h('h2', null, `Seat ${found.seat + 1} of ${players}${found.last ? ', the dealer' : ''} declares`),
      h('p', null, names.map((n, i) => h('span', { class: 'key' }, stack(Array.from({ length: i + 1 }, (_, k) => k === i ? 1 : 0), n), n))),
      table(['Trumps|num', 'Best trump', 'Dealt|num lean', 'Worth|num', 'Declares', 'Mostly|lean'], found.rows.map((r) => {
        const top = r.mix.indexOf(Math.max(...r.mix));
        return h('tr', null, h('td', { class: 'num' }, r.trumps), h('td', null, r.best ? `${r.best}${['', 'st', 'nd', 'rd'][r.best] || 'th'}` : '–'), h('td', { class: 'num lean' }, percent(r.dealt, 1)), h('td', { class: 'num' }, valued(r.worth, r.error, r.few, 2)),
          h('td', { class: 'fill' }, stack(r.mix, names.map((n, i) => `${n} ${percent(r.mix[i])}`).filter((_, i) => r.mix[i] > 0.005).join(', '))), h('td', { class: 'lean' }, `${names[top]} ${percent(r.mix[top])}`));
      }), 'Declarations by trumps held'),
      h('p', { class: 'muted' }, 'Values with ~ and ? rest on fewer than 100 visits of training.', found.histories > 1 ? ` ${found.histories} histories share these values.` : ''),
      found.last ? null : h('p', { class: 'row gap' }, h('span', { class: 'muted' }, 'Go on after'), found.kinds.map((k, i) => found.mean[i] > 0.001 ? link(address(q, { declared: [...declared, k].join(',') }), `${names[i]} (${percent(found.mean[i])})`) : null))),
    h('p', null, link(address(q, { declared: '', deal: 'new' }), 'Deal a hand and follow it, declarations and play', { class: 'button', id: 'deal' })),
    h('p', { class: 'muted' }, found.quality));
}
