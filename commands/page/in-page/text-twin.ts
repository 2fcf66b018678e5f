import type { WalkStand } from '../walk/stand.ts';
import { h } from './dom.ts';
import { verdictText } from './verdict.ts';

/** The same walk as text, to be read from top to bottom: each move, its changes, and the state at the end. */
export function textTwin(stands: readonly WalkStand[]): HTMLElement {
  const moves = stands.flatMap(({ told, verdict }, i) => {
    if (told === undefined) return [];
    const { actor, turn, begins, does, changes, said } = told;
    const lines = [
      ...(begins === '' ? [] : [begins]),
      ...changes.map(({ subject, from, to }) => `${subject} was ${from}, now ${to}`),
      ...said,
      ...(verdict === undefined ? [] : [verdictText(verdict)]),
    ];
    const what = turn === '' || does.includes(turn) ? does : `${turn}: ${does}`;
    return [
      h('h3', {}, `Step ${i}, ${actor}`),
      h('p', {}, what),
      lines.length === 0 ? undefined : h('ul', {}, ...lines.map((line) => h('li', {}, line))),
    ];
  });
  return h('div', { class: 'twin' }, h('h2', {}, 'The walk as text'), ...moves, ...stateText(stands.at(-1)));
}

function stateText(stand: WalkStand | undefined): HTMLElement[] {
  if (stand === undefined) return [];
  return [
    h('h2', {}, 'The state at its end'),
    ...stand.board.flatMap(({ title, rows }) => [
      h('h3', {}, title),
      h('ul', {}, ...rows.map(({ subject, value }) => h('li', {}, `${subject}: ${value}`))),
    ]),
  ];
}
