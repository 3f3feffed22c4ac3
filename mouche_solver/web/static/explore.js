// Explore: the tree of a strategy; every position has an address.
import { post } from './api.js';
import { attempt, choose, h, link, percent, signed, table } from './dom.js';
import { bar, die, stack } from './pictures.js';
import { action, claim, options } from './shared.js';

export async function render(root, room) {
  const q = room.query;
  const cards = q.get('game') === 'cards';
  root.append(h('h1', null, 'Explore'), h('p', { class: 'lead' }, 'Click through the tree of a strategy. The address of each position can be kept and shared.'),
    h('div', { class: 'row', role: 'group', 'aria-label': 'Game' }, link('/explore', 'Dice', { class: 'button', 'aria-current': cards ? null : 'true' }), link('/explore?game=cards&players=4', 'Cards', { class: 'button', 'aria-current': cards ? 'true' : null })), h('p'));
  return cards ? chart(root, room, q) : dice(root, room, q);
}

const address = (q, change) => { const next = new URLSearchParams(q); for (const [k, v] of Object.entries(change)) v === '' || v === null ? next.delete(k) : next.set(k, v); return `/explore?${next}`; };

async function dice(root, room, q) {
  const history = q.get('history') || '';
  const rules = { dice: (q.get('dice') || '5,5').split(',').map(Number) };
  if (q.get('wild')) rules.wild = Number(q.get('wild'));
  root.append(h('div', { class: 'row end' }, choose('Table', [['5,5', 'two players'], ['5,5,5', 'three'], ['5,5,5,5', 'four'], ['5,5,5,5,5', 'five'], ['5,5,5,5,5,5', 'six'], ['2,2', 'two, two dice each'], ['1,1', 'two, one die each']], rules.dice.join(','), (v) => room.go(address(q, { dice: v, history: '', hand: '' }))),
    choose('Ones wild', [['', 'no'], ['1', 'yes']], q.get('wild') || '', (v) => room.go(address(q, { wild: v, history: '', hand: '' })))), h('p'));
  const found = await attempt(() => post('/dice/position', { rules, history, hand: q.get('hand') || '' }), 'Looking it up…');
  if (!found) { root.append(h('p', { class: 'error', role: 'alert' }, document.getElementById('status').textContent)); return; }
  const path = [link(address(q, { history: '', hand: '' }), 'Start'), ...found.history.map((c, n) => link(address(q, { history: found.history.slice(0, n + 1).join(','), hand: '' }), c))];
  root.append(h('nav', { 'aria-label': 'Claims so far', class: 'row' }, path.flatMap((p, n) => n ? [h('span', { 'aria-hidden': 'true' }, '›'), p] : [p])), h('p'),
    h('div', { class: 'cols' },
      h('section', { class: 'panel', 'aria-label': 'Actions' }, h('h2', null, `Player ${found.player + 1} is to act`),
        h('p', { class: 'muted' }, `The claims are spoken with a chance of ${percent(found.reach, 2)}. `, found.value === null ? '' : `The position is worth ${signed(found.value)} to the player to act. `, found.note),
        table(['Action', 'How often', '', 'Worth'], found.actions.filter((a) => a.probability >= 0.0005).sort((a, b) => b.probability - a.probability).map((a) => h('tr', null,
          h('td', null, a.action === 'doubt' ? 'doubt' : link(address(q, { history: [...found.history, a.action].join(','), hand: '' }), claim(a.action))),
          h('td', null, bar(a.probability, percent(a.probability))), h('td', { class: 'num' }, percent(a.probability, 1)), h('td', { class: 'num' }, signed(a.value)))), 'Actions over the whole range')),
      found.advice ? h('section', { class: 'panel', 'aria-label': 'One hand' }, h('h2', null, 'With ', found.advice.hand.split(',').map((f) => die(Number(f), true))), h('p', null, found.advice.reason), options(found.advice.options.filter((o) => o.probability > 0.0005 || o.value > -0.9))) : null,
      h('section', { class: 'panel', 'aria-label': 'Ranges' }, h('h2', null, 'What the claims tell'), found.ranges.map((r) => [h('h3', null, `Player ${r.player + 1}: dice expected of each face`),
        h('div', null, r.expected.map((x, n) => h('div', { class: 'row' }, die(n + 1, true), h('span', { class: 'grow' }, bar(x / 2.5, x.toFixed(2))), h('span', { class: 'muted' }, x.toFixed(2))))) ])),
      h('section', { class: 'panel', 'aria-label': 'Hands' }, h('h2', null, 'Likeliest hands'), table(['Hand', 'Held', 'Does'], found.hands.map((x) => h('tr', null,
        h('td', null, link(address(q, { hand: x.hand }), x.hand.split(',').map((f) => die(Number(f), true)))), h('td', { class: 'num' }, percent(x.chance, 1)),
        h('td', null, x.mix.map((m, n) => [n ? ', ' : '', action(m.action), ` ${percent(m.probability)}`])))), 'Hands')),
    ), h('p', { class: 'muted' }, found.quality));
}

async function chart(root, room, q) {
  const players = Number(q.get('players') || 4);
  const declared = (q.get('declared') || '').split(',').filter(Boolean).map((w) => /^\d+$/.test(w) ? Number(w) : w);
  root.append(h('div', { class: 'row end' }, choose('Players', [3, 4, 5, 6].map((n) => [n, String(n)]), players, (v) => room.go(address(q, { players: v, declared: '' })))), h('p'));
  const found = await attempt(() => post('/cards/chart', { rules: { players }, declared }), 'Looking it up…');
  if (!found) { root.append(h('p', { class: 'error', role: 'alert' }, document.getElementById('status').textContent)); return; }
  const word = (w) => typeof w === 'number' || /^\d+$/.test(w) ? `exchange ${w}` : w;
  const names = found.kinds.map(word);
  const path = [link(address(q, { declared: '' }), 'Start'), ...declared.map((w, n) => link(address(q, { declared: declared.slice(0, n + 1).join(',') }), word(w)))];
  root.append(h('nav', { 'aria-label': 'Declarations so far', class: 'row' }, path.flatMap((p, n) => n ? [h('span', { 'aria-hidden': 'true' }, '›'), p] : [p])), h('p'),
    h('section', { class: 'panel', 'aria-label': 'Chart' }, h('h2', null, `Seat ${found.seat + 1} of ${players}${found.last ? ', the dealer' : ''} declares`),
      h('p', null, names.map((n, i) => h('span', { class: 'key' }, stack(Array.from({ length: i + 1 }, (_, k) => k === i ? 1 : 0), n), n))),
      table(['Trumps', 'Best trump', 'Dealt', 'Worth', 'Declares', 'Mostly'], found.rows.map((r) => {
        const top = r.mix.indexOf(Math.max(...r.mix));
        return h('tr', null, h('td', { class: 'num' }, r.trumps), h('td', null, r.best ? `${r.best}${['', 'st', 'nd', 'rd'][r.best] || 'th'}` : '–'), h('td', { class: 'num' }, percent(r.dealt, 1)), h('td', { class: 'num' }, signed(r.worth, 2)),
          h('td', { class: 'fill' }, stack(r.mix, names.map((n, i) => `${n} ${percent(r.mix[i])}`).filter((_, i) => r.mix[i] > 0.005).join(', '))), h('td', null, `${names[top]} ${percent(r.mix[top])}`));
      }), 'Declarations by trumps held'),
      found.last ? null : h('p', { class: 'row gap' }, h('span', { class: 'muted' }, 'Go on after'), found.kinds.map((k, i) => found.mean[i] > 0.001 ? link(address(q, { declared: [...declared, k].join(',') }), `${names[i]} (${percent(found.mean[i])})`) : null))),
    h('p', { class: 'muted' }, found.quality));
}
