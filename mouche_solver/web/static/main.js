// The router: every room has an address, Back works.
import { say } from './dom.js';

const ROOMS = { play: './play.js', advise: './advise.js', explore: './explore.js', review: './review.js', drill: './drill.js' };
let turn = 0;

export async function go(address, replace = false) {
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  await show(true);
}

async function show(moved) {
  const mine = ++turn;
  const [, name = '', ...rest] = location.pathname.split('/');
  const room = ROOMS[name] ? name : 'play';
  for (const a of document.querySelectorAll('nav a')) {
    if (a.getAttribute('href') === '/' + room) a.setAttribute('aria-current', 'page');
    else a.removeAttribute('aria-current');
  }
  const module = await import(ROOMS[room]);
  const main = document.getElementById('main');
  const found = document.createElement('div');
  try {
    await module.render(found, { rest, query: new URLSearchParams(location.search), go, current: () => mine === turn });
  } catch (error) { say(error.message); }
  if (mine !== turn) return;
  main.replaceChildren(...found.childNodes);
  document.title = `${room[0].toUpperCase()}${room.slice(1)} · Mouche`;
  if (moved) { main.focus({ preventScroll: true }); scrollTo(0, 0); }
}

document.addEventListener('click', (event) => {
  const a = event.target.closest('a[data-link]');
  if (!a || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(a.getAttribute('href'));
});
addEventListener('popstate', () => show(true));
show(false);
