import { match } from 'ts-pattern';
import type { CallSeen, CallShown, SeenBy } from '../../properties/refine/call-seen.ts';
import { CRASH, readSeen } from '../../properties/refine/call-seen.ts';
import type { Difference } from '../../properties/refine/difference.ts';
import type { Retold } from '../../properties/refine/retelling.ts';

/** Why the first kernel does not behave as the second, in a clause whose subject is what happens in the first. */
export function reasonOf({ before, played }: Retold, difference: Difference): string {
  const [one, other] = played;
  return match(difference)
    .returnType<string>()
    .with({ is: 'answer' }, ({ at }) => {
      const action = one.actions[at]!;
      return `${action.do} answers ${answer(one.shown.answers[at]!)}, not ${answer(other.shown.answers[at]!)}`;
    })
    .with({ is: 'death' }, () =>
      one.died === undefined ? 'the kernel does not die as the other' : `the kernel dies: ${one.died}`,
    )
    .with({ is: 'warning' }, () =>
      one.warnings.length > 0 ? `the kernel warns: ${one.warnings[0]}` : 'the kernel does not warn',
    )
    .with({ is: 'after' }, ({ fn }) =>
      callReason(fn, readSeen(one.shown.after.get(fn)!), readSeen(other.shown.after.get(fn)!)),
    )
    .with({ is: 'between' }, ({ fn, seen }) =>
      betweenReason(fn, seen, [before.get(fn)!, one.shown.after.get(fn)!]),
    )
    .with({ is: 'kept' }, () => {
      const [prog] = one.shown.kept;
      return prog === undefined ? 'a closed program is freed' : `prog#${prog} is closed, and never freed`;
    })
    .exhaustive();
}

function answer(errno: string | 0): string {
  return errno === 0 ? '0' : `-${errno}`;
}

/** The first thing in which a call is otherwise than another one. */
function callReason(fn: string, one: CallShown, other: CallShown): string {
  if (one.returned === CRASH) return `a call of ${fn} crashes`;
  if (other.returned === CRASH) return `a call of ${fn} does not crash`;
  const missing = other.events.find((event) => !isIn(event, one.events));
  if (missing !== undefined) return `${missing.who} misses a call of ${fn}`;
  const more = one.events.find((event) => !isIn(event, other.events));
  if (more !== undefined) return `${more.who} sees a call of ${fn} that is none of its own`;
  const at = one.events.findIndex(({ who }, i) => who !== other.events[i]?.who);
  if (at >= 0)
    return `${one.events[at]!.who} runs before ${other.events[at]?.who ?? 'nobody'} in a call of ${fn}`;
  for (const [i, event] of one.events.entries()) {
    const field = differentField(event, other.events[i]!);
    if (field !== undefined) return `${event.who} sees ${FIELDS[field]} in a call of ${fn}`;
  }
  return `a caller of ${fn} gets ${one.returned}, not ${other.returned}`;
}

const FIELDS = {
  fn: 'another function',
  args: 'other arguments',
  ret: 'another return value',
  cookie: 'another cookie',
  ip: 'another address of the function',
} as const;

function differentField(one: SeenBy, other: SeenBy): keyof typeof FIELDS | undefined {
  const fields = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return fields.find((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/** How often somebody saw a call counts as well. */
function isIn({ who }: SeenBy, events: readonly SeenBy[]): boolean {
  return events.some((event) => event.who === who);
}

/** What is wrong with a call in the middle of an operation, beside those of before and of after. */
function betweenReason(fn: string, seen: CallSeen, around: readonly CallSeen[]): string {
  const shown = readSeen(seen);
  const [before, after] = around.map(readSeen) as [CallShown, CallShown];
  const middle = `in the middle of the operation`;
  if (shown.returned === CRASH) return `a call of ${fn} ${middle} crashes`;
  const lost = before.events.find((event) => isIn(event, after.events) && !isIn(event, shown.events));
  if (lost !== undefined) return `${lost.who} misses a call of ${fn} ${middle}`;
  const early = shown.events.find((event) => !isIn(event, before.events) && !isIn(event, after.events));
  if (early !== undefined) return `${early.who} sees a call of ${fn} ${middle}, and none before or after`;
  return `${middle}, ${callReason(fn, shown, after)}`;
}
