import type { WalkedStep, WalkStand } from '../walk/stand.ts';
import { h } from './dom.ts';
import { verdictText } from './verdict.ts';

/** The moves of a walk: one lane an actor, time downward. */
export function lanes(
  actors: readonly string[],
  stands: readonly WalkStand[],
  selected: number,
  select: (stand: number) => void,
): HTMLElement {
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col', class: 'number' }, 'step'),
    ...actors.map((actor) => h('th', { scope: 'col' }, actor)),
  );
  const rows = stands.map((stand, i) => {
    const row = h(
      'tr',
      {
        tabindex: i === selected ? '0' : '-1',
        'aria-selected': String(i === selected),
        class: stand.verdict === undefined ? undefined : stand.verdict.is,
        'data-stand': String(i),
      },
      h('th', { scope: 'row', class: 'number' }, String(i)),
      ...cells(actors, stand),
    );
    row.addEventListener('click', () => select(i));
    return row;
  });
  return h(
    'table',
    { class: 'lanes', role: 'grid', 'aria-label': 'moves, one lane an actor' },
    h('thead', {}, head),
    h('tbody', {}, ...rows),
  );
}

function cells(actors: readonly string[], { told, verdict }: WalkStand): HTMLElement[] {
  if (told === undefined)
    return [h('td', { colspan: String(actors.length), class: 'first' }, 'the first state')];
  return actors.map((actor) =>
    actor === told.actor
      ? h(
          'td',
          { class: 'move' },
          ...moveParts(told),
          verdict && h('p', { class: 'verdict' }, verdictText(verdict)),
        )
      : h('td', { class: 'pause' }),
  );
}

function moveParts({ turn, begins, does, changes, said }: WalkedStep): (Node | undefined)[] {
  return [
    begins === '' ? undefined : h('p', { class: 'begins' }, begins),
    h('p', {}, turn === '' || does.includes(turn) ? does : `${turn}: ${does}`),
    ...changes.map(({ subject, from, to }) => h('p', { class: 'change' }, `${subject}: ${from} → ${to}`)),
    ...said.map((text) => h('p', { class: 'said' }, text)),
  ];
}
