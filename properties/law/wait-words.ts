import { unreachable } from '../../model/core/unreachable.ts';
import type { Wait } from './wait.ts';

/** `client#1 waits for direct_mutex, which client#2 holds`: no code reads it back. */
export function waitText(wait: Wait): string {
  return `${wait.who} waits for ${awaitedText(wait)}`;
}

/** `direct_mutex, which client#2 holds`. */
export function awaitedText(wait: Wait): string {
  switch (wait.is) {
    case 'lock':
      return `${wait.lock}, which ${wait.holder} holds`;
    case 'grace period':
      return `a grace period of ${wait.flavour}, which ${wait.holders.join(', ')} ${wait.holders.length > 1 ? 'block' : 'blocks'}`;
    case 'counter':
      return `the reference count of ${wait.image}, which is ${wait.refs}`;
    default:
      return unreachable(wait);
  }
}

/** `until task#1, task#2 have passed`: the tasks that hold up a grace period. */
export function untilPassed(tasks: readonly string[]): string {
  return `until ${tasks.join(', ')} ${tasks.length === 1 ? 'has' : 'have'} passed`;
}

/** `direct_mutex`: what is waited for alone. */
export function awaitedThing(wait: Wait): string {
  switch (wait.is) {
    case 'lock':
      return wait.lock;
    case 'grace period':
      return wait.flavour;
    case 'counter':
      return `the reference counter of ${wait.image}`;
    default:
      return unreachable(wait);
  }
}
