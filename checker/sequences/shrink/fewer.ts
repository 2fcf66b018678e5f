import type { AttachCase } from '../attach-case.ts';
import { livesOf } from './lives.ts';

/** The sequence without this many consecutive actions, the last ones first. */
export function withoutParts(c: AttachCase, size: number): AttachCase[] {
  const starts = c.actions.flatMap((_, i) => (i % size === 0 ? [c.actions.length - size - i] : []));
  return starts
    .map((index) => without(c, (i) => i >= index && i < index + size))
    .filter(({ actions }) => actions.length > 0);
}

/** The sequence without one object. */
export function withoutObjects(c: AttachCase): AttachCase[] {
  return livesOf(c.actions).map(({ places }) => without(c, (i) => places.includes(i)));
}

/** The sequence without one action, and without any two. */
export function withoutOneOrTwo(c: AttachCase): AttachCase[] {
  return c.actions.flatMap((_, i) =>
    c.actions.slice(0, i + 1).map((__, j) => without(c, (index) => index === i || index === j)),
  );
}

function without(c: AttachCase, isLeftOut: (index: number) => boolean): AttachCase {
  return { ...c, actions: c.actions.filter((_, i) => !isLeftOut(i)) };
}
