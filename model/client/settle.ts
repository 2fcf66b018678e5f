import type { ClientCall } from './client-call.ts';
import { never, nothingTouched, unchanged } from './client-call.ts';

/**
 * Time passes: everything that waits for a grace period resumes, and what that starts as well, until nothing
 * moves. Without it deferred work runs only when a client waits for the same flavour: a sequence may then end
 * with images and programs that are not freed yet, which is no leak.
 */
export interface Settle {
  readonly do: 'settle';
}

const TEXT = 'all grace periods end';

export const settleCall: ClientCall<Settle> = {
  sentence: 'Time passes: everything that waits for a grace period resumes.',
  examples: [{ do: 'settle' }],
  service: { by: 'time' },
  role: 'something else',
  isMisuse: never,
  promised: unchanged,
  touched: nothingTouched,
  print: () => TEXT,
  parse: ({ text }) => (text === TEXT ? { do: 'settle' } : undefined),
};
