import type { InjectedFault } from '../core/world.ts';
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
  sentence: 'The next allocation, or the next text poke, in a kernel function fails.',
  examples: [
    { do: 'fail', fault: { what: 'allocation', where: 'register_ftrace_direct' } },
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
  print: ({ fault }) => `the next ${fault.what} in ${fault.where} fails`,
  parse({ text }) {
    const [, what, where] = /^the next (allocation|poke) in (.+) fails$/.exec(text) ?? [];
    if (where === undefined) return undefined;
    return { do: 'fail', fault: { what: what === 'poke' ? what : 'allocation', where } };
  },
};
