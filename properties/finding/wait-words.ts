import type { SaidWords } from './said.ts';
import { listed } from './said.ts';
import type { WaitFinding } from './wait-finding.ts';

/** The words for what is freed too early. */
export const WAIT_WORDS: SaidWords<WaitFinding> = {
  'freed-early': ({ kind, name, lacking, periods }) => ({
    expected: `${kind} ${name} is freed after a wait for ${lacking}: a task that has found it may be in it`,
    observed: `since no call can find it: ${listed(periods, 'no wait')}`,
  }),
};
