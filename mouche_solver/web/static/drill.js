// Drill: hard positions; what was missed comes again.
import { post } from './api.js';
import { attempt, choose, h, link, put, valued } from './dom.js';
import { card, die, withSuits } from './pictures.js';
import { action, claim, exploreLink, options, picker, unit } from './shared.js';

export async function render(root, room) {
  let game = room.query.get('game') === 'cards' ? 'cards' : 'dice';
  // Which table new positions come from; what waits to be asked again comes whatever is set.
  const at = { dice: { players: 2, wild: '' }, cards: { players: 4 } };
  const rules = () => game === 'cards' ? { players: at.cards.players } : { dice: Array(at.dice.players).fill(5), ...(at.dice.wild ? { wild: 1 } : {}) };
  const place = h('div', { id: 'drill' });
  const top = h('div', { class: 'row end', role: 'group', 'aria-label': 'Game' });
  const set = (key) => (value) => { at[game][key] = key === 'wild' ? value : Number(value); next(); };
  const settings = () => game === 'dice'
    ? [choose('Players', [2, 3, 4, 5, 6].map((n) => [n, String(n)]), at.dice.players, set('players')), choose('Ones wild', [['', 'no'], ['1', 'yes']], at.dice.wild, set('wild'))]
    : [choose('Players', [3, 4, 5, 6].map((n) => [n, String(n)]), at.cards.players, set('players'))];
  const heads = () => put(top, ['dice', 'cards'].map((g) => h('button', { 'aria-pressed': String(game === g), onclick: () => { game = g; heads(); next(); } }, g === 'dice' ? 'Dice' : 'Cards')), settings());
  heads();
  root.append(h('h1', null, 'Drill'), h('p', { class: 'lead' }, 'Positions from play, the harder the oftener. Every answer near the best counts; what you miss comes again.'), top, h('p'), place);

  const score = (x) => h('p', { class: 'muted', id: 'score' }, x.answered ? `${x.good} of ${x.answered} near the best, ${x.streak} in a row.` : 'No answer yet.');
  const shown = (drill) => drill.game === 'dice'
    ? [h('p', { class: 'muted' }, `A table of ${drill.rules.dice.length} with ${new Set(drill.rules.dice).size === 1 ? `${drill.rules.dice[0]} ${drill.rules.dice[0] === 1 ? 'die' : 'dice'} each` : `${drill.rules.dice.join(', ')} dice`}${drill.rules.wild ? ', ones wild' : ''}.`), h('div', { class: 'felt' }, drill.position ? h('ol', { class: 'line', 'aria-label': 'Claims' }, drill.position.split(' ').map((c) => h('li', null, claim(c)))) : h('p', { class: 'muted' }, 'You open the round.')), h('div', { class: 'row' }, h('span', { class: 'muted' }, 'Your dice'), h('div', { class: 'hand' }, drill.hand.split(',').map((f) => die(Number(f)))))]
    : [h('div', { class: 'felt' }, cardPosition(drill.position)), h('div', { class: 'row' }, h('span', { class: 'muted' }, 'Your cards'), h('div', { class: 'hand' }, drill.hand.split(' ').map((c) => card(c))))];

  let asked = 0;
  async function next(key) {
    const mine = ++asked;
    if (!place.firstChild) put(place, h('div', { class: 'panel tall' }, h('p', { class: 'muted' }, 'Looking for a position…')));
    const found = await attempt(() => post('/drill/next', key ? { game, key } : { game, rules: rules() }), 'Looking for a position…');
    if (!found) { put(place, h('div', { class: 'panel tall' }, h('p', { class: 'error', role: 'alert' }, document.getElementById('status').textContent), h('p', null, link('/play', 'Play a round and drill what you missed')))); return; }
    if (mine !== asked) return;
    const drill = found.drill, chosen = {};
    const answer = async (word) => {
      const got = await attempt(() => post('/drill/answer', { key: drill.key, action: word }));
      if (!got) return;
      const r = got.result;
      const find = drill.game === 'dice' || got.deal ? link(exploreLink(drill.game, drill.rules, drill, got.deal), 'Find this position in Explore', { class: 'button', id: 'find' }) : null;
      put(place, score(got.score), h('section', { class: 'panel', 'aria-label': 'Answer' }, shown(drill),
        h('p', { class: 'verdict gap', id: 'verdict', role: 'status' }, h('span', { class: `mark ${r.good ? 'good' : 'blunder'}` }, r.good ? 'good' : 'missed'), ' ', action(r.action), ' is worth ', valued(r.value, r.error), '. ', r.action === r.best ? 'Nothing is better.' : ['Best is ', action(r.best), ', worth ', valued(r.best_value, r.best_error), '.'], r.good ? '' : ' It comes again in a minute.'),
        h('p', { class: 'row gap' }, h('button', { class: 'main', id: 'next', onclick: () => next() }, 'Next position'), find),
        unit(drill.game, drill.rules), options(got.options, r.action)));
      document.getElementById('next').focus();
    };
    const draw = () => put(place, score(found.score), h('section', { class: 'panel', 'aria-label': 'Position' }, found.again && !key ? h('p', { class: 'muted' }, 'You have met this one before, or it comes from your own game.') : null, key ? h('p', { class: 'muted' }, 'From your own game.') : null, shown(drill), h('h2', { class: 'gap' }, 'What do you do?'),
      drill.game === 'dice' ? picker(drill.options, chosen, draw, answer, 'data-answer') : h('div', { class: 'row gap' }, drill.options.map((o) => h('button', { class: 'say', 'data-answer': o, onclick: () => answer(o) }, withSuits(o[0].toUpperCase() + o.slice(1)))))));
    draw();
    if (!key) place.querySelector('[data-focus], .say')?.focus({ preventScroll: true });
  }
  await next(room.query.get('key') || undefined);
}

// "seat 1 of 4; turned KC; pass, exchange2; 9H KH / 8C": the turn-up and the tricks as pictures.
function cardPosition(text) {
  const parts = text.split('; ');
  const seat = parts[0].startsWith('seat ') ? parts.shift() : '';
  const turned = (parts.shift() || '').replace('turned ', '');
  const said = parts.shift() || '';
  const tricks = (parts.shift() || '').split(' / ').filter(Boolean);
  const place = /seat (\d+) of (\d+)/.exec(seat);
  return [h('p', { class: 'row' }, card(turned, true), h('span', null, `turned up. ${place ? `You are seat ${Number(place[1]) + 1} of ${place[2]}${Number(place[1]) + 1 === Number(place[2]) ? ', the dealer' : ''}. ` : ''}`, said === 'nobody has spoken' ? 'Nobody has spoken yet.' : `Declared so far: ${said.replaceAll('exchange', 'exchange ')}.`)),
    tricks.map((t, n) => h('p', { class: 'row' }, h('span', { class: 'muted' }, `Trick ${n + 1}`), t.split(' ').map((c) => card(c, true))))];
}
