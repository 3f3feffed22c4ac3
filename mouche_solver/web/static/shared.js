// What several rooms show.
import { h, percent, signed, table, valued } from './dom.js';
import { bar, die, withSuits } from './pictures.js';

export function claim(text) {
  const [quantity, face] = text.split('x');
  return h('span', { class: 'claim' }, `${quantity} × `, die(Number(face), true));
}
export const action = (text) => /^\d+x\d+$/.test(text) ? claim(text) : h('span', null, withSuits(text));

// A sentence of the API: claims as 3x5 are drawn, cards as 10H have the signs of their suits, and numbers theirs.
export const drawn = (text) => text.split(/\b(\d+x\d+)\b/).map((part, n) => n % 2 ? claim(part) : withSuits(part).replaceAll('+- ', '± ').replace(/(^|[ (])-(?=\d)/g, '$1−'));

// What matters of a list of actions: what is done, what is worth most, what was chosen; the others on request.
export function options(list, chosen = '') {
  const best = Math.max(...list.filter((o) => o.value !== null).map((o) => o.value));
  const sorted = [...list].sort((a, b) => b.probability - a.probability || (b.value ?? -9) - (a.value ?? -9));
  const known = [...list].filter((o) => o.value !== null).sort((a, b) => b.value - a.value).slice(0, 4);
  const main = sorted.length <= 8 ? sorted : sorted.filter((o) => o.probability >= 0.005 || o.action === chosen || known.includes(o)).slice(0, 12);
  const row = (o) => h('tr', { class: o.action === chosen ? 'picked' : null },
    h('td', null, action(o.action), o.action === chosen ? h('span', { class: 'muted' }, ' (yours)') : null),
    h('td', { class: 'bars' }, bar(o.probability, percent(o.probability))), h('td', { class: 'num' }, percent(o.probability)),
    h('td', { class: 'num' }, valued(o.value, o.error, o.few)),
    h('td', { class: 'num' }, o.value === null || !Number.isFinite(best) ? '' : o.value === best ? 'best' : signed(o.value - best)));
  const shown = (rows, caption) => table(['Action', 'How often|bars', 'Share|num', 'Worth|num', 'To the best|num'], rows.map(row), caption);
  const rest = sorted.filter((o) => !main.includes(o));
  return h('div', null, shown(main, 'Actions of the strategy'),
    rest.length ? h('details', { class: 'gap' }, h('summary', null, `${rest.length} other actions`), shown(rest, 'Other actions')) : null);
}

// Claims by face, then by quantity; other answers as buttons. `face` remembers what was chosen.
export function picker(legal, chosen, redraw, act, attribute) {
  const claims = legal.filter((w) => /^\d+x\d+$/.test(w)).map((w) => w.split('x').map(Number));
  const faces = [...new Set(claims.map((c) => c[1]))].sort((a, b) => a - b);
  const face = faces.includes(chosen.face) ? chosen.face : faces[0];
  const doubt = legal.includes('doubt');
  return h('div', { class: 'gap' },
    faces.length ? [h('fieldset', null, h('legend', null, 'Claim: which face'), h('div', { class: 'row' }, faces.map((f) =>
      h('button', { class: 'pic', id: `face-${f}`, 'aria-label': `Face ${f}`, 'aria-pressed': String(f === face), onclick: () => { chosen.face = f; redraw(); document.getElementById(`face-${f}`)?.focus(); } }, die(f))))),
    h('fieldset', { class: 'gap' }, h('legend', null, 'and at least how many, under all cups together'), h('div', { class: 'row' }, claims.filter((c) => c[1] === face).map((c, n) =>
      h('button', { 'data-focus': n === 0 && !doubt, class: 'say', [attribute]: `${c[0]}x${c[1]}`, 'aria-label': `${c[0]} × face ${c[1]}`, onclick: () => act(`${c[0]}x${c[1]}`) }, `${c[0]} ×`))))] : null,
    doubt ? h('p', { class: 'gap' }, h('button', { class: 'main', id: 'doubt', [attribute]: 'doubt', 'data-focus': true, onclick: () => act('doubt') }, 'Doubt the last claim')) : null);
}

export const mark = (name) => name ? h('span', { class: `mark ${name}` }, name) : null;

// Where a decision of a review, or a drill, is found in Explore.
export function exploreLink(game, rules, d, deal, file) {
  const query = new URLSearchParams({ game });
  // Rounds that fewer play are not those of the file.
  if (file && (game === 'cards' || !d.dice?.length || String(d.dice) === String(rules.dice))) query.set('file', file);
  if (game === 'dice') {
    query.set('dice', (d.dice?.length ? d.dice : rules.dice).join(','));
    if (rules.wild) query.set('wild', rules.wild);
    if (rules.faces && rules.faces !== 6) query.set('faces', rules.faces);
    query.set('history', d.position.split(' ').filter(Boolean).join(','));
    query.set('hand', d.hand);
  } else {
    rulesQuery(query, rules);
    // Searched as the review was, so that the numbers are the same.
    if (deal) { query.set('think', '1'); query.set('order', deal.order); query.set('line', deal.line.slice(0, d.step ?? undefined).join(';')); }
  }
  return `/explore?${query}`;
}

// Card rules in an address: what the rooms offer, and everything else as JSON.
export function rulesQuery(query, rules) {
  query.set('players', rules.players);
  if (rules.scoring === 'countdown') query.set('variant', 'mushka');
  else if (rules.pamphile) query.set('variant', 'pamphile');
}
export function rulesOf(query) {
  const players = Number(query.get('players') || 4), variant = query.get('variant');
  return variant === 'mushka' ? { game: 'mushka', players } : variant === 'pamphile' ? { players, pamphile: true } : { players };
}

const UNITS = { dice: 'Worth is in points of a round: +1 wins it, −1 loses it.', table: 'Worth is in points of a round: −1 loses it, and the others share +1.', cards: 'Worth is in pots: +1 is a whole pot, a mouche costs about one.', mushka: 'Worth is in points: +1 is a point off your count.' };
export const unit = (game, rules, players = rules.dice?.length) => h('p', { class: 'muted' }, UNITS[game === 'cards' ? rules.scoring === 'countdown' ? 'mushka' : 'cards' : players > 2 ? 'table' : 'dice']);

// One decision in full: what was done, what it cost, why, what would have been better.
export function decision(review, d, me = '') {
  const known = d.loss !== null;
  const worth = (name, value) => { const one = d.mix.find((o) => o.action === name); return valued(value, one?.error, one?.few); };
  const verb = review.game === 'dice' ? (d.action === 'doubt' ? 'doubted' : 'said') : /^[^ ]+$/.test(d.action) && !['pass', 'stand'].includes(d.action) ? 'played' : 'declared';
  return h('div', null,
    h('p', { class: 'verdict' }, h('b', null, d.player === me ? 'You' : d.player), ` ${verb} `, d.action === 'doubt' ? '' : action(d.action), known ? [', worth ', worth(d.action, d.value), '. '] : '. ',
      known && d.loss > 0 && d.best !== d.action ? ['Best is ', action(d.best), ', worth ', worth(d.best, d.best_value), ': it cost ', h('b', null, d.loss.toFixed(3)), '. '] : known ? 'Nothing was better. ' : '',
      mark(d.mark)),
    d.reason ? h('p', { class: 'reason' }, drawn(d.reason)) : null,
    h('p', { class: 'muted' }, review.game === 'dice' ? ['Hand ', ...d.hand.split(',').map((f) => die(Number(f), true)), d.position ? [' after ', d.position.split(' ').map((c) => [claim(c), ' '])] : ', to open the round'] : withSuits(`Hand ${d.hand}; ${d.position}`)),
    d.label ? h('p', { class: 'muted' }, `${d.label[0].toUpperCase()}${d.label.slice(1)}.`) : null,
    d.error ? h('p', { class: 'muted' }, review.game === 'dice' && !(d.dice?.length > 2) ? d.error < 0.0005 ? 'Values are right to less than 0.001 on average.' : `Values are right to about ${d.error.toFixed(3)} on average.` : `The loss is right to about ${d.error.toFixed(3)} (95%).`) : null,
    d.mix.length > 1 ? [unit(review.game, review.rules, d.dice?.length), options(d.mix, d.action)] : d.mix.length ? h('p', { class: 'muted' }, 'There was no choice.') : null);
}

export const findIt = (review, d, file) => exploreLink(review.game, review.rules, d, review.deals?.[d.part - 1], file);
