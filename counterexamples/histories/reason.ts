import { match } from 'ts-pattern';
import type { CallShown, SeenBy } from '../../checker/refinement/call-seen.ts';
import { CRASH, readSeen } from '../../checker/refinement/call-seen.ts';
import type { Difference } from '../../checker/refinement/difference.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';

/** Why the first kernel does not behave as the second: the events in the first. */
export function reasonOf(difference: Difference): string {
  return match(difference)
    .returnType<string>()
    .with(
      { is: 'answer' },
      ({ answer, other }) => `the client is answered ${errnoText(answer)}, not ${errnoText(other)}`,
    )
    .with({ is: 'death' }, ({ dies }) => `the kernel ${dies ? 'dies' : 'does not die'}`)
    .with({ is: 'warning' }, ({ warns }) => `the kernel ${warns ? 'warns' : 'does not warn'}`)
    .with({ is: 'after' }, ({ fn, seen, other }) => callReason(fn, readSeen(seen), readSeen(other)))
    .with({ is: 'between' }, betweenReason)
    .with({ is: 'kept' }, ({ kept }) =>
      kept.length > 0 ? `prog#${kept[0]} is closed, and never freed` : 'a program that was closed is freed',
    )
    .exhaustive();
}

/** `0`, `-EBUSY`. */
export function errnoText(errno: string | 0): string {
  return errno === 0 ? '0' : `-${errno}`;
}

/** The first difference between two calls. */
function callReason(fn: FunctionName, shown: CallShown, other: CallShown): string {
  if (shown.returned === CRASH) return `a call of ${fn} crashes`;
  if (other.returned === CRASH) return `a call of ${fn} does not crash`;
  const missing = other.events.find((event) => !isIn(event, shown.events));
  if (missing !== undefined)
    return missing.who === fn ? `${fn} itself does not run` : `${missing.who} misses a call of ${fn}`;
  const more = shown.events.find((event) => !isIn(event, other.events));
  if (more !== undefined)
    return more.who === fn ? `${fn} itself runs` : `${more.who} sees a call of ${fn} that is none of its own`;
  const index = shown.events.findIndex(({ who }, i) => who !== other.events[i]?.who);
  if (index >= 0)
    return `${item(shown.events, index).who} runs before ${other.events[index]?.who ?? 'no program'} in a call of ${fn}`;
  for (const [i, event] of shown.events.entries()) {
    const field = differentField(event, item(other.events, i));
    if (field !== undefined) return `${event.who} sees ${FIELDS[field]} in a call of ${fn}`;
  }
  return `a caller of ${fn} gets ${shown.returned}, not ${other.returned}`;
}

const FIELDS = {
  fn: 'another function',
  args: 'other arguments',
  ret: 'another return value',
  cookie: 'another cookie',
  ip: 'another address of the function',
} as const;

function differentField(seenBy: SeenBy, other: SeenBy): keyof typeof FIELDS | undefined {
  const fields = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return fields.find((field) => JSON.stringify(seenBy[field]) !== JSON.stringify(other[field]));
}

/** The number of times that each program saw a call counts as well. */
function isIn({ who }: SeenBy, events: readonly SeenBy[]): boolean {
  return events.some((event) => event.who === who);
}

/** How a call in the middle of an operation differs from those before and after. */
function betweenReason({ fn, ...calls }: Extract<Difference, { is: 'between' }>): string {
  const [shown, before, after] = [calls.seen, calls.before, calls.after].map(readSeen) as [
    CallShown,
    CallShown,
    CallShown,
  ];
  const call = `a call of ${fn} in the middle of the operation`;
  if (shown.returned === CRASH) return `${call} crashes`;
  const lost = before.events.find((event) => isIn(event, after.events) && !isIn(event, shown.events));
  if (lost !== undefined) return `${lost.who} misses ${call}`;
  const early = shown.events.find((event) => !isIn(event, before.events) && !isIn(event, after.events));
  if (early !== undefined) return `${early.who} sees ${call}, and none before or after`;
  return `in the middle of the operation, ${callReason(fn, shown, after)}`;
}
