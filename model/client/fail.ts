import type { InjectedFault } from '../core/world.ts';
import { faultOf } from '../core/world.ts';
import type { ClientCall } from './client-call.ts';
import { never, nothingTouched, unchanged } from './client-call.ts';

/*
 * Fault injection (CONFIG_FAILSLAB for allocations). An allocation that fails is ENOMEM from the named
 * function. A text poke does not fail on x86 unless memory has other bytes than the record says: ftrace_bug()
 * then calls ftrace_kill(), and all of ftrace is dead until the next boot. Ordering that failure is how
 * sequences get there.
 */

/**
 * One failure is pending at most, and a later order replaces it. It waits until its function gets there: other
 * operations may come first.
 */
export interface Fail {
  readonly do: 'fail';
  readonly fault: InjectedFault;
}

export const failCall: ClientCall<Fail> = {
  sentence: 'The next allocation, or text poke, in a kernel function fails, or a later one.',
  examples: [
    { do: 'fail', fault: { what: 'allocation', where: 'register_ftrace_direct' } },
    { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update', nth: 2 } },
    { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } },
  ],
  service: {
    by: 'client',
    atOnce(k, { fault }) {
      k.fault = fault;
      return 0;
    },
  },
  role: 'something else',
  isMisuse: never,
  promised: unchanged,
  touched: nothingTouched,
  print: ({ fault: { what, where, nth = 1 } }) => `the ${ordinal(nth)} ${what} in ${where} fails`,
  parse({ text }) {
    const [, which, what, where] = WRITTEN.exec(text) ?? [];
    if (which === undefined || where === undefined) return undefined;
    const nth = which === 'next' ? 1 : Number.parseInt(which, 10);
    // `2th` is no ordinal, and `1st` is not how the next one is written.
    if (ordinal(nth) !== which) return undefined;
    return { do: 'fail', fault: faultOf(what === 'poke' ? what : 'allocation', where, nth) };
  },
};

const WRITTEN = /^the (next|\d+(?:st|nd|rd|th)) (allocation|poke) in (.+) fails$/;

/** `next`, `2nd`, `3rd`, `11th`. */
function ordinal(nth: number): string {
  if (nth === 1) return 'next';
  const isTeen = Math.floor(nth / 10) % 10 === 1;
  const ending = isTeen ? undefined : ENDINGS[nth % 10];
  return `${nth}${ending ?? 'th'}`;
}

const ENDINGS: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
