// Drill: hard positions; what was missed comes again.
import { post } from './api.js';
import { attempt, h, link, signed } from './dom.js';
import { card, die } from './pictures.js';
import { action, claim, exploreLink, options } from './shared.js';

let game = 'dice';

export async function render(root, room) {
  const place = h('div', { id: 'drill' });
  const top = h('div', { class: 'row', role: 'group', 'aria-label': 'Game' });
  const heads = () => top.replaceChildren(...['dice', 'cards'].map((g) => h('button', { 'aria-pressed': String(game === g), onclick: () => { game = g; heads(); next(); } }, g === 'dice' ? 'Dice' : 'Cards')));
  heads();
  root.append(h('h1', null, 'Drill'), h('p', { class: 'lead' }, 'Positions from play, the harder the oftener. Every answer near the best counts; what you miss comes again.'), top, h('p'), place);

  const score = (x) => h('p', { class: 'muted', id: 'score' }, x.answered ? `${x.good} of ${x.answered} near the best, ${x.streak} in a row.` : 'No answer yet.');
  const shown = (drill) => drill.game === 'dice'
    ? [h('div', { class: 'felt' }, drill.position ? h('ol', { class: 'line', 'aria-label': 'Claims' }, drill.position.split(' ').map((c) => h('li', null, claim(c)))) : h('p', { class: 'muted' }, 'You open the round.')), h('div', { class: 'hand' }, drill.hand.split(',').map((f) => die(Number(f))))]
    : [h('div', { class: 'felt' }, h('p', null, drill.position)), h('div', { class: 'hand' }, drill.hand.split(' ').map((c) => card(c)))];

  async function next(moved = true) {
    const found = await attempt(() => post('/drill/next', { game }), 'Looking for a position…');
    if (!found) return;
    const drill = found.drill;
    const answer = async (chosen) => {
      const got = await attempt(() => post('/drill/answer', { key: drill.key, action: chosen }));
      if (!got) return;
      const r = got.result;
      place.replaceChildren(score(got.score), h('section', { class: 'panel', 'aria-label': 'Answer' }, shown(drill),
        h('p', { class: 'verdict gap', id: 'verdict', role: 'status' }, h('span', { class: `mark ${r.good ? 'good' : 'blunder'}` }, r.good ? 'good' : 'missed'), ' ', action(r.action), ` is worth ${signed(r.value)}. `, r.action === r.best ? 'Nothing is better.' : ['Best is ', action(r.best), `, worth ${signed(r.best_value)}.`]),
        options(got.options, r.action), h('p', { class: 'row gap' }, h('button', { class: 'main', id: 'next', onclick: () => next() }, 'Next'), link(exploreLink({ game: drill.game, rules: drill.rules }, drill.game === 'dice' ? drill : { ...drill, position: drill.position.split('; ').slice(1).join('; ') }), 'Find it in Explore'))));
      document.getElementById('next').focus();
    };
    const said = h('div', { class: 'row gap' }, drill.options.map((o) => h('button', { class: 'say', 'data-answer': o, onclick: () => answer(o) }, action(o))));
    place.replaceChildren(score(found.score), h('section', { class: 'panel', 'aria-label': 'Position' }, found.again ? h('p', { class: 'muted' }, 'You have met this one before.') : null, shown(drill), h('h2', { class: 'gap' }, 'What do you do?'), said));
    if (moved) said.querySelector('button')?.focus();
  }
  await next(false);
}
