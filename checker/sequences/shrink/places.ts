import type { Action } from '../../../model/client/all.ts';
import type { AttachCase } from '../attach-case.ts';
import { OBJECTS } from './rename.ts';

/** The sequence with one action moved to another place. */
export function withActionsMoved(c: AttachCase): AttachCase[] {
  return c.actions.flatMap((action, i) => {
    const others = c.actions.filter((_, index) => index !== i);
    return c.actions.map((_, index) => ({ ...c, actions: others.toSpliced(index, 0, action) }));
  });
}

/** The sequence without one action, and with another one moved. */
export function withoutOneAndOneMoved(c: AttachCase): AttachCase[] {
  if (c.actions.length > MOVED_MOST) return [];
  return c.actions.flatMap((_, i) => withActionsMoved({ ...c, actions: c.actions.toSpliced(i, 1) }));
}

/** Sequences up to this many actions are tried so. */
const MOVED_MOST = 8;

/** The sequence with one action applied to another object of the same kind. */
export function withActionsOfOthers(c: AttachCase): AttachCase[] {
  const objects = [...new Set(JSON.stringify(c.actions).match(OBJECTS))];
  const progs = [...new Set(c.actions.flatMap((action) => ('prog' in action ? [action.prog] : [])))];
  return c.actions.flatMap((action, i) => {
    const numbers = 'prog' in action ? progs.map((prog): Action => ({ ...action, prog })) : [];
    return [...numbers, ...otherObjects(action, objects)].map((other) => ({
      ...c,
      actions: c.actions.with(i, other),
    }));
  });
}

function otherObjects(action: Action, objects: readonly string[]): Action[] {
  const text = JSON.stringify(action);
  const own = text.match(OBJECTS) ?? [];
  return own.flatMap((name) =>
    objects
      .filter((other) => other !== name && kindOf(other) === kindOf(name))
      .map((other) => JSON.parse(text.replaceAll(`"${name}"`, `"${other}"`)) as Action),
  );
}

function kindOf(object: string): string {
  return object.replace(/\d+$/, '');
}
