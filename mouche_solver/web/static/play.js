// Play: a new game, a saved one, hints, undo, review.
import { get, job, post, remove } from './api.js';
import { attempt, choose, h, link, progress as bar, put, say, signed, valued } from './dom.js';
import { card, die, suitName } from './pictures.js';
import { claim, decision, drawn, findIt, options, picker, unit } from './shared.js';

export async function render(root, room) {
  if (room.rest[0]) return table(root, room, room.rest[0]);
  return lobby(root, room);
}

const setup = { kind: 'dice', players: 2, dice: 5, wild: '', points: 3, opponent: 'strategy', game: 'mouche' };

async function lobby(root, room) {
  const [{ games }, people, { files }] = await Promise.all([get('/games'), get('/players'), get('/files')]);
  const form = h('div', { class: 'panel' });
  const draw = () => {
    const focused = document.activeElement?.id;
    const set = (key, number = false) => (value) => { setup[key] = number ? Number(value) : value; draw(); };
    const range = (a, b) => Array.from({ length: b - a + 1 }, (_, n) => [a + n, String(a + n)]);
    const opened = files.filter((f) => f.game === setup.kind).map((f) => ({ name: `file:${f.name}`, about: `the strategy of ${f.name} (${f.what}), by its rules. ${f.quality}`, file: f }));
    const present = [...people[setup.kind], ...opened];
    if (!present.some((p) => p.name === setup.opponent)) setup.opponent = 'strategy';
    const names = present.map((p) => [p.name, p.file ? `${p.file.name} (your file)` : p.name]);
    const about = present.find((p) => p.name === setup.opponent);
    setup.file = about.file;
    // A file brings its own rules; what is left to choose is how long the match is.
    const fields = setup.file ? [
      setup.kind === 'dice' ? choose('Points', range(1, 6), setup.points, set('points', true)) : null,
      choose('Others are', names, setup.opponent, set('opponent')),
    ] : setup.kind === 'dice' ? [
      choose('Players', range(2, 6), setup.players, set('players', true)),
      choose('Dice each', range(1, 5), setup.dice, set('dice', true)),
      choose('Ones wild', [['', 'no'], ['1', 'yes']], setup.wild, set('wild')),
      choose('Points', range(1, 6), setup.points, set('points', true)),
      choose('Others are', names, setup.opponent, set('opponent')),
    ] : [
      choose('Players', range(3, 6), Math.max(3, setup.players), set('players', true)),
      choose('Game', [['mouche', 'Mouche of 1718'], ['pamphile', 'with the Pamphile'], ['mushka', 'Mushka']], setup.game, set('game')),
      choose('Others are', names, setup.opponent, set('opponent')),
    ];
    put(form, h('h2', null, 'New game'),
      h('div', { class: 'row', role: 'group', 'aria-label': 'Game' }, ['dice', 'cards'].map((kind) =>
        h('button', { id: `kind-${kind}`, 'aria-pressed': String(setup.kind === kind), onclick: () => { setup.kind = kind; draw(); document.getElementById(`kind-${kind}`)?.focus(); } }, kind === 'dice' ? 'Dice Mouche' : 'Card Mouche'))),
      h('div', { class: 'row end gap' }, fields),
      h('p', { class: 'muted gap' }, about.file ? `You meet ${about.about}` : `${about.name}: ${about.about}.`),
      h('p', { class: 'gap' }, h('button', { class: 'main', id: 'start', onclick: () => start(room) }, 'Start')), h('div', { id: 'progress' }), howTo(setup.kind === 'dice' ? 'dice' : setup.file ? variantOf(setup.file.rules) : RULES[setup.game] ? setup.game : 'cards'));
    if (focused) document.getElementById(focused)?.focus();
  };
  draw();
  root.append(h('h1', null, 'Play'), h('p', { class: 'lead' }, 'Sit down against a solved strategy or somebody who plays like a person.'), form);
  if (games.length) root.append(h('section', { class: 'panel', 'aria-label': 'Saved games' }, h('h2', null, 'Saved games'),
    h('ul', { class: 'plain' }, games.slice(0, 12).map((g) => h('li', { class: 'row' },
      link(`/play/${g.id}`, `${g.kind === 'dice' ? 'Dice' : 'Cards'}, ${g.config.players.length} players`),
      h('span', { class: 'muted' }, `${g.over ? 'finished' : 'goes on'}, ${new Date(1000 * g.at).toLocaleString()}`),
      h('button', { class: 'quiet', 'aria-label': 'Forget this game', onclick: async (event) => { await attempt(() => remove(`/games/${g.id}`)); event.target.closest('li').remove(); } }, 'Forget'))))));
}

function rulesOf() {
  if (setup.file) return setup.kind === 'dice' ? { ...setup.file.rules, points: setup.points } : setup.file.rules;
  if (setup.kind === 'dice') {
    const rules = { dice: Array(setup.players).fill(setup.dice), points: setup.points };
    if (setup.wild) rules.wild = Number(setup.wild);
    return rules;
  }
  const players = Math.max(3, setup.players);
  if (setup.game === 'mushka') return { game: 'mushka', players };
  return setup.game === 'pamphile' ? { players, pamphile: true } : { players };
}

const RULES = {
  dice: ['Everybody rolls dice under a cup and sees only his own.', 'In turn each claims how many dice of one face lie under all cups together: “at least three fives”.', 'The next player raises (more of the same face, or at least as many of a higher face) or doubts.', 'On a doubt the cups are lifted: if the claim was true the doubter loses a point, else the claimant. Who has no point left is out.'],
  cards: ['Everybody has five cards; one card is turned up and its suit is trumps. The dealer pays the pot.', 'In turn each passes (and is out of the deal), stands with his cards, or exchanges some of them.', 'Those who are in play five tricks: follow suit, head the trick if you can, trump if you cannot follow. Each trick takes a fifth of the pot.', 'Whoever is in and takes no trick is “mouche”: he puts a whole pot into the next one. Five cards of one suit (a mouche in hand) take the pot at once.'],
};
// What is different in the variants of cards.
RULES.pamphile = [...RULES.cards, 'The Jack of clubs is the Pamphile: the highest trump of all. Whoever holds it and is in gets a chip from every other player.', 'If it is the card that is turned up, the dealer names trumps after he has seen his hand.'];
RULES.mushka = ['Everybody has five cards; one card is turned up and its suit is trumps. There are no chips: everybody counts down from 25, and who reaches exactly 0 wins. Below 0 one goes back to 25.', 'In turn each passes (and is out of the deal), stands with his cards, or exchanges some of them.', 'Those who are in play five tricks: follow suit; if you cannot, you must trump. Each trick counts 1 down, no trick at all 5 up.', 'The Ace of spades may neither be passed with nor laid down; it counts 5 down at the first trick (10 if spades are trumps), and 10 up if its holder takes none.'];
const howTo = (kind) => h('details', { class: 'gap' }, h('summary', null, 'How it is played'), h('ul', null, RULES[kind].map((line) => h('li', null, line))));
const variantOf = (rules) => rules.scoring === 'countdown' ? 'mushka' : rules.pamphile ? 'pamphile' : 'cards';

const progress = (now, cancel) => { const at = document.getElementById('progress'); if (at) put(at, now.state === 'running' ? bar(now, cancel) : null); };

async function start(room) {
  const rules = rulesOf();
  const body = { kind: setup.kind, rules, seat: 0 };
  const who = setup.file ? 'strategy' : setup.opponent;
  if (setup.file) body.file = setup.file.name;
  body.players = Array.from({ length: setup.kind === 'dice' ? rules.dice.length : rules.players }, (_, n) => n ? who : 'you');
  const begin = () => post('/games', body);
  say('Setting the table…', true);
  try {
    let game;
    if (setup.kind === 'dice' && !setup.file && setup.players === 2 && setup.opponent === 'strategy') await job({ kind: 'solve', rules }, progress);
    try { game = await begin(); } catch (error) {
      if (setup.kind !== 'cards' || setup.file || !error.message.startsWith('no strategy is shipped')) throw error;
      say('No strategy is shipped for these rules: one is trained for half a minute.', true);
      await job({ kind: 'train', rules, seconds: 30 }, progress);
      game = await begin();
    }
    say('');
    await room.go(`/play/${game.id}`);
  } catch (error) { say(error.message); }
}

async function table(root, room, id) {
  const state = { hint: null, review: null, reviewing: null, chosen: {}, picked: new Set() };
  const place = h('div');
  root.append(place);
  let view = await get(`/games/${id}`);
  const redraw = () => { put(place, view.kind === 'dice' ? dice() : cards(), howTo(view.kind === 'dice' ? 'dice' : variantOf(view.rules))); reviewPlace(); };
  let asked = 0, stop = null;
  // Reviews run as jobs: their progress is shown, a click goes on and ends them.
  const review = async (last) => {
    const mine = ++asked;
    stop?.();
    Object.assign(state, { review: null, reviewing: { seconds: 0 } });
    reviewPlace();
    try {
      const found = await job({ kind: 'review', game: id, last }, (now, cancel) => {
        if (mine !== asked || !room.current()) { cancel(); return; }
        stop = cancel;
        state.reviewing = now.state === 'running' ? now : null;
        reviewPlace();
      });
      if (mine === asked) state.review = found;
    } catch (error) { if (mine === asked && !last) say(error.message); }
    if (mine !== asked) return;
    stop = state.reviewing = null;
    reviewPlace();
    if (!last) place.querySelector('#review')?.scrollIntoView?.({ block: 'nearest' });
  };
  const done = () => view.kind === 'dice' ? view.doubted : Boolean(view.outcome);
  const move = async (verb, body) => {
    const found = await attempt(() => post(`/games/${id}/${verb}`, body));
    if (!found) return;
    stop?.();
    asked++;
    stop = null;
    view = found;
    Object.assign(state, { hint: null, review: null, reviewing: null, picked: new Set(), chosen: {} });
    redraw();
    (place.querySelector('[data-focus]') || place.querySelector('h1')).focus();
    if (done()) review(true);
  };
  const hint = async () => { state.hint = await attempt(() => post(`/games/${id}/hint`), 'Thinking…'); redraw(); };
  const person = (word) => word[0].toUpperCase() + word.slice(1);
  const name = (seat) => seat === view.seat ? 'You' : view.kind === 'dice' ? person(view.players[seat]) + (view.players.length > 2 ? ` ${seat + 1}` : '') : view.players[seat];
  const act = (action) => move('act', { action });
  const mine = () => view.turn === view.seat;

  const over = () => done() || (view.round ?? view.deal) > 1;
  const buttons = (next) => h('div', { class: 'row gap' },
    next ? h('button', { class: 'main', 'data-focus': true, id: 'next', onclick: () => move('next') }, next) : null,
    mine() ? h('button', { id: 'hint', onclick: hint }, 'Hint') : null,
    h('button', { id: 'undo', disabled: !view.can_undo, onclick: () => move('undo') }, 'Undo'),
    h('button', { id: 'ask-review', disabled: !over(), title: over() ? null : view.kind === 'dice' ? 'After the first round' : 'After the first deal', onclick: () => review(false) }, 'Review all'),
    link('/play', 'Leave the table'));

  const extras = () => [
    state.hint ? h('section', { class: 'panel', id: 'hint-shown', 'aria-label': 'Hint' }, h('h2', null, 'Hint'),
      state.hint.value !== null ? h('p', { class: 'muted' }, 'The position is worth ', valued(state.hint.value, state.hint.error, state.hint.few), ' to you.') : null, unit(view.kind, view.rules, view.order.length), options(state.hint.options)) : null,
    h('div', { id: 'review-place' }),
  ].filter(Boolean);

  const reviewPlace = () => {
    const at = place.querySelector('#review-place');
    if (at) put(at, state.reviewing ? h('section', { class: 'panel', 'aria-label': 'Review' }, bar({ progress: { doing: 'pricing your decisions' }, ...state.reviewing }, () => stop?.())) : state.review ? reviewed(state.review, id, view, room) : null);
  };

  function dice() {
    const lost = view.reveal && view.reveal.loser;
    const seats = h('ul', { class: 'seats' }, view.players.map((_, seat) => {
      const cup = view.cups[seat];
      return h('li', { class: `seat${view.turn === seat ? ' turn' : ''}` }, h('b', null, name(seat)),
        h('span', { class: 'pips', 'aria-hidden': 'true' }, '●'.repeat(view.points[seat])), h('small', null, view.points[seat] ? ` ${view.points[seat]} points` : ' out'),
        h('div', { class: 'hand' }, cup === undefined ? null : seat === view.seat ? null : Array.isArray(cup) ? cup.map((f) => die(f, true)) : Array.from({ length: cup }, () => die(0, true, true))));
    }));
    const line = h('div', { class: 'felt' }, view.history.length
      ? h('ol', { class: 'line', 'aria-label': 'Claims' }, view.history.map((c) => h('li', null, h('small', { class: 'muted' }, name(c.seat), ' '), claim(c.claim))), view.doubted ? h('li', null, h('small', { class: 'muted' }, name(view.reveal.doubter), ' '), h('b', null, view.reveal.doubter === view.seat ? 'doubt' : 'doubts')) : null)
      : h('p', { class: 'muted' }, mine() ? 'You open the round.' : 'Nobody has spoken.'),
      view.reveal ? h('p', { class: 'verdict gap' }, drawn(`${view.reveal.count} ${view.reveal.count === 1 ? 'counts' : 'count'} for ${view.reveal.claim}: the claim is ${view.reveal.correct ? 'correct' : 'wrong'}. `), h('b', null, lost === view.seat ? 'You lose a point.' : `${name(lost)} loses a point.`)) : null);
    const own = view.cups[view.seat];
    const hand = own ? h('div', { class: 'row' }, h('span', { class: 'muted' }, 'Your dice'), h('div', { class: 'hand' }, own.map((f) => die(f)))) : h('p', null, 'You are out of this match.');
    return [h('h1', { tabindex: -1 }, view.winner === null ? `Round ${view.round}` : view.winner === view.seat ? 'You have won the match' : `${name(view.winner)} has won the match`),
      seats, line, h('div', { class: 'panel' }, hand, mine() ? picker(view.legal, state.chosen, redraw, act, 'data-claim') : null, buttons(view.doubted && view.winner === null ? 'Next round' : null)), ...extras()];
  }

  function cards() {
    const seats = h('ul', { class: 'seats' }, view.order.map((seat) => h('li', { class: `seat${view.turn === seat ? ' turn' : ''}` },
      h('b', null, name(seat), view.kinds[seat] !== 'strategy' && seat !== view.seat ? `, ${view.kinds[seat]}` : '', seat === view.dealer ? ' (dealer)' : ''),
      h('small', null, view.points.length ? `${view.points[seat]} to go` : `${view.stacks[seat]} chips`, view.declared[seat] ? `, ${view.declared[seat]}` : '', view.taken[seat] ? `, ${view.taken[seat]} trick${view.taken[seat] > 1 ? 's' : ''}` : ''))));
    const trick = view.trick.length ? view.trick : view.tricks[view.tricks.length - 1] || [];
    const felt = h('div', { class: 'felt row' },
      h('figure', { class: 'turned' }, card(view.turned, true), h('figcaption', { class: 'muted' }, view.trump ? `trumps: ${suitName(view.trump)}` : 'turned up')),
      trick.length ? h('ol', { class: 'line', 'aria-label': view.trick.length ? 'Trick' : 'Last trick' }, trick.map((c) => h('li', null, h('small', { class: 'muted' }, name(c.seat)), h('div', null, card(c.card, true))))) : h('p', { class: 'muted' }, 'No card has been played.'));
    const cardsLegal = view.legal.cards;
    const hand = h('div', { class: 'hand', role: 'group', 'aria-label': 'Your hand' }, view.hand.map((c, n) => {
      const can = cardsLegal ? cardsLegal.includes(c) : view.legal.exchange > 0;
      const pressed = state.picked.has(c);
      const press = () => { if (cardsLegal) return act(c); if (pressed) state.picked.delete(c); else state.picked.add(c); redraw(); document.getElementById(`card-${c}`)?.focus(); };
      return h('button', { class: 'pic held', id: `card-${c}`, 'data-card': c, disabled: !can, 'data-focus': n === view.hand.findIndex((x) => (cardsLegal || view.hand).includes(x)), 'aria-pressed': cardsLegal ? null : String(pressed), onclick: press }, card(c));
    }));
    const words = view.legal.words || [];
    const declare = view.legal.words ? h('div', { class: 'row gap' }, words.map((w) => h('button', { class: 'say', 'data-word': w, onclick: () => act(w) }, w[0].toUpperCase() + w.slice(1))),
      h('button', { class: 'main', id: 'exchange', disabled: !state.picked.size || state.picked.size > view.legal.exchange, onclick: () => act(`exchange ${[...state.picked].join(' ')}`) }, state.picked.size ? `Exchange ${state.picked.size}` : 'Choose cards to exchange')) : null;
    const suits = view.legal.suits ? h('div', { class: 'row gap' }, view.legal.suits.map((x) => h('button', { onclick: () => act(`trumps ${x}`) }, suitName(x)))) : null;
    const out = view.outcome;
    const verdict = out ? h('p', { class: 'verdict' }, out.winner !== null ? `${name(out.winner)} takes the pot${out.how === 'mouche' ? ' with a mouche' : ''}. ` : 'The tricks are played. ', out.mouches.length ? `The mouche is on ${out.mouches.map(name).join(', ')}.` : '') : null;
    return [h('h1', { tabindex: -1 }, view.over ? `The game is over: ${view.winners.map(name).join(', ')}` : `Deal ${view.deal}`),
      view.points.length ? null : h('p', { class: 'muted' }, `The pot is ${view.pot} chips${view.waiting ? `; ${view.waiting} chips wait for the next one` : ''}.`), seats, felt,
      h('div', { class: 'panel' }, verdict, hand, declare, suits, buttons(out && !view.over ? 'Next deal' : null)), ...extras()].filter(Boolean);
  }

  redraw();
  if (done()) review(true); // somebody comes back to what has ended
}

function reviewed(review, id, view, room) {
  const me = review.game === 'dice' ? `seat ${view.seat}` : review.players[view.seat];
  const total = review.totals.find((t) => t.player === me);
  const own = review.decisions.filter((d) => d.player === me);
  const worst = own.filter((d) => d.loss && d.best !== d.action).sort((a, b) => b.loss - a.loss)[0];
  const what = review.game === 'dice' ? 'point' : review.unit === 'pots' ? 'pot' : 'point';
  const text = async () => ({ text: await get(`/games/${id}/transcript`), rules: review.game === 'dice' ? review.rules : undefined });
  // The worst decision is asked first, the other mistakes after it.
  const drill = async () => {
    const kept = await attempt(async () => post('/review/keep', { review: review.id, player: me, number: worst.number }), 'Putting it among the drills…');
    if (kept) room.go(`/drill?game=${review.game}&key=${kept.keys[0]}`);
  };
  const step = async () => { sessionStorage.setItem('review', JSON.stringify(await text())); room.go('/review'); };
  const decisions = `${total.decisions} decision${total.decisions === 1 ? '' : 's'}`;
  return h('section', { class: 'panel', id: 'review', 'aria-label': 'Review' },
    h('h2', null, !worst ? own.some((d) => d.loss !== null) ? 'You lost nothing by your decisions' : 'Review' : 'Your worst decision'),
    worst ? [decision(review, worst, me),
      h('div', { class: 'row gap' }, h('button', { class: 'main', id: 'drill-mine', onclick: drill }, 'Drill this'),
        link(findIt(review, worst, view.file), 'Open in Explore', { class: 'button', id: 'find' }), h('button', { id: 'step', onclick: step }, 'Step through the game'))]
      : [h('p', null, own.some((d) => d.loss !== null) ? 'Every answer was the best, or within the error of the best.' : own.length ? own.find((d) => d.label)?.label ?? 'There was no choice to be made.' : 'You had no decision to make.'), h('p', { class: 'row' }, h('button', { id: 'step', onclick: step }, 'Step through the game'), link('/drill', 'Drill other positions', { class: 'button' }))],
    h('p', { class: 'gap' }, `You lost ${total.loss.toFixed(3)} ${what}s by ${decisions}`, total.error_per_decision !== null && total.nontrivial > 1 ? `, ${total.error_per_decision.toFixed(3)} for each that was hard` : '', '. ',
      total.luck !== null ? `Your result of ${signed(total.result, 2)} is ${signed(total.skill, 2)} skill and ${signed(total.luck, 2)} luck.` : review.no_split ? `${review.no_split[0].toUpperCase()}${review.no_split.slice(1)}.` : ''));
}
