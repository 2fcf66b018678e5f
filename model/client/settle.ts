import type { ClientCall } from './client-call.ts';
import { never, nothingTouched, unchanged } from './client-call.ts';

/** Time passes: everything that waits for a grace period resumes. */
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
