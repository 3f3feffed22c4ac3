// What several rooms show.
import { h, link, percent, signed, table } from './dom.js';
import { bar, die } from './pictures.js';

export function claim(text) {
  const [quantity, face] = text.split('x');
  return h('span', { class: 'claim' }, `${quantity} × `, die(Number(face), true));
}
export const action = (text) => /^\d+x\d+$/.test(text) ? claim(text) : h('span', null, text);

export function options(list, chosen = '') {
  const best = Math.max(...list.filter((o) => o.value !== null).map((o) => o.value));
  const rows = [...list].sort((a, b) => b.probability - a.probability || (b.value ?? -9) - (a.value ?? -9)).map((o) =>
    h('tr', { class: o.action === chosen ? 'picked' : null },
      h('td', null, action(o.action), o.action === chosen ? h('span', { class: 'muted' }, ' (yours)') : null),
      h('td', null, bar(o.probability, percent(o.probability))), h('td', { class: 'num' }, percent(o.probability)),
      h('td', { class: 'num' }, signed(o.value), o.error ? h('span', { class: 'muted' }, ` ± ${(1.96 * o.error).toFixed(3)}`) : null),
      h('td', { class: 'num' }, o.value === null || !Number.isFinite(best) ? '' : o.value === best ? 'best' : signed(o.value - best))));
  return table(['Action', 'How often', '', 'Worth', 'To the best'], rows, 'Actions of the strategy');
}

export const mark = (name) => name ? h('span', { class: `mark ${name}` }, name) : null;

export function exploreLink(review, d) {
  const query = new URLSearchParams();
  if (review.game === 'dice') {
    query.set('game', 'dice');
    query.set('dice', review.rules.dice.slice(0, d.hand ? undefined : 2).join(','));
    if (review.rules.wild) query.set('wild', review.rules.wild);
    query.set('history', d.position.split(' ').join(','));
    query.set('hand', d.hand);
  } else {
    const said = d.position.split(';')[1].trim();
    query.set('game', 'cards');
    query.set('players', review.rules.players);
    if (said !== 'nobody has spoken') query.set('declared', said.split(', ').map((w) => w.replace('exchange', '')).slice(0, review.rules.players - 1).join(','));
  }
  return `/explore?${query}`;
}

// One decision in full: what was done, what it cost, what would have been better.
export function decision(review, d) {
  const known = d.loss !== null;
  return h('div', null,
    h('p', { class: 'verdict' }, h('b', null, d.player), ' said ', action(d.action),
      known ? [', worth ', signed(d.value), '. '] : '. ',
      known && d.loss > 0 ? ['Best is ', action(d.best), `, worth ${signed(d.best_value)}: it cost ${d.loss.toFixed(3)}. `] : known ? 'Nothing was better. ' : '',
      mark(d.mark)),
    h('p', { class: 'muted' }, review.game === 'dice' ? ['Hand ', ...d.hand.split(',').map((f) => die(Number(f), true)), ' after ', d.position || 'nothing'] : `Hand ${d.hand}; ${d.position}`),
    d.label ? h('p', { class: 'muted' }, d.label, '.') : null,
    d.error ? h('p', { class: 'muted' }, `Values are right to about ${d.error.toFixed(3)} on average.`) : null,
    d.mix.length ? options(d.mix, d.action) : null,
    h('p', { class: 'gap' }, link(exploreLink(review, d), 'Find this position in Explore')));
}
