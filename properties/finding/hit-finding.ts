import type { CallEvent } from '../../model/core/event.ts';

/** What is wrong with a hit of a tracepoint. */
export type HitFinding =
  | {
      readonly is: 'hit-calls-others';
      readonly expected: readonly CalledByHit[];
      readonly observed: readonly CalledByHit[];
    }
  | {
      readonly is: 'probe-is-given-otherwise';
      readonly who: string;
      readonly expected: readonly Given[];
      readonly observed: Given;
    };

/** Who is called, and with which data if it is a probe of a client. */
export type CalledByHit = Pick<CallEvent, 'who' | 'data'>;

/** What a probe or program is given. */
export type Given = Pick<CallEvent, 'data' | 'args' | 'cookie'>;
