// Dice, cards and bars as SVG.
import { s } from './dom.js';

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function die(face, small = false, hidden = false) {
  const body = s('rect', { x: 2, y: 2, width: 40, height: 40, rx: 9, fill: hidden ? 'var(--bar-soft)' : 'var(--die)', stroke: hidden ? 'var(--line)' : 'var(--edge)', 'stroke-width': small ? 2 : 1.5 });
  const label = hidden ? 'a hidden die' : `a ${face}`;
  const pips = hidden ? [] : PIPS[face]
    ? PIPS[face].map((n) => s('circle', { cx: 11 + (n % 3) * 11, cy: 11 + Math.floor(n / 3) * 11, r: 3.9, fill: face === 1 ? '#b3261e' : 'var(--pip)' }))
    : [s('text', { x: 22, y: 29, 'text-anchor': 'middle', 'font-size': 20, fill: 'var(--pip)' }, face)];
  return s('svg', { viewBox: '0 0 44 44', class: small ? 'die small' : 'die', role: 'img', 'aria-label': label }, body, pips);
}

const GLYPH = { C: '♣', D: '♦', H: '♥', S: '♠' };
const WORD = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
const RANK = { K: 'King', Q: 'Queen', J: 'Jack', A: 'Ace' };
export const suitName = (suit) => WORD[suit] || suit;
export const cardName = (card) => { const rank = card.slice(0, -1); return `${RANK[rank] || rank} of ${suitName(card.slice(-1))}`; };

// Cards in words of the API, as "exchange 9C 10H", with the signs of their suits.
export const withSuits = (text) => text.replace(/\b(10|[2-9AJQK])([CDHS])\b/g, (_, rank, suit) => rank + GLYPH[suit]);

export function card(name, small = false) {
  const rank = name.slice(0, -1), suit = name.slice(-1);
  const ink = suit === 'D' || suit === 'H' ? '#b3261e' : '#23211d';
  const text = (x, y, size, what) => s('text', { x, y, 'font-size': size, fill: ink, 'text-anchor': 'middle', 'font-family': 'Georgia, "DejaVu Serif", serif', 'font-weight': 600 }, what);
  return s('svg', { viewBox: '0 0 60 84', class: small ? 'playing small' : 'playing', role: 'img', 'aria-label': cardName(name) },
    s('rect', { x: 1.5, y: 1.5, width: 57, height: 81, rx: 7, fill: '#fffefb', stroke: '#c9c1b1', 'stroke-width': 1.5 }),
    text(14, 22, 18, rank), text(14, 39, 15, GLYPH[suit] || suit), text(36, 70, 34, GLYPH[suit] || suit));
}

export function bar(share, label) {
  return s('svg', { class: 'bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    s('rect', { class: 'back', width: 100, height: 10, rx: 2 }), s('rect', { width: Math.max(0, Math.min(100, 100 * share)), height: 10, rx: 2 }));
}

export function stack(shares, label) {
  let at = 0;
  const parts = shares.map((share, n) => { const x = at; at += share * 100; return s('rect', { class: `s${n}`, x, width: share * 100, height: 10 }); });
  return s('svg', { class: 'stack bar', viewBox: '0 0 100 10', preserveAspectRatio: 'none', role: 'img', 'aria-label': label }, parts);
}
