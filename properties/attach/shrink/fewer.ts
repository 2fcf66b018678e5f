import type { AttachCase } from '../attach-case.ts';
import { livesOf } from './lives.ts';

/** The sequence without so many actions that follow each other, the last ones first. */
export function withoutParts(c: AttachCase, size: number): AttachCase[] {
  const starts = c.actions.flatMap((_, i) => (i % size === 0 ? [c.actions.length - size - i] : []));
  return starts
    .map((at) => without(c, (i) => i >= at && i < at + size))
    .filter(({ actions }) => actions.length > 0);
}

/** The sequence without one object, and without two actions wherever they stand. */
export function withoutPairs(c: AttachCase): AttachCase[] {
  const { actions } = c;
  return [
    ...livesOf(actions).map(({ places }) => without(c, (i) => places.includes(i))),
    ...actions.flatMap((_, i) =>
      actions.slice(0, i).map((__, j) => without(c, (at) => at === i || at === j)),
    ),
  ];
}

function without(c: AttachCase, isLeftOut: (at: number) => boolean): AttachCase {
  return { ...c, actions: c.actions.filter((_, i) => !isLeftOut(i)) };
}
