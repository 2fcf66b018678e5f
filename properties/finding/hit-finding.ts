import type { CallEvent } from '../../model/core/event.ts';

/** Breaches seen in a hit of a tracepoint. */
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

/** A callee of the hit, with its data if it is a client's probe. */
export type CalledByHit = Pick<CallEvent, 'who' | 'data'>;

/** What a probe or program gets. */
export type Given = Pick<CallEvent, 'data' | 'args' | 'cookie'>;
