import type { StubFailure } from '../../model/tracepoint/execute-stub.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';

/** Breaches seen in the stub of a raw tracepoint. */
export type StubFinding =
  | { readonly is: 'stub-does-not-arrive'; readonly failure: StubFailure }
  | { readonly is: 'data-of-the-probe-is-lost'; readonly observed: TaggedWord }
  /** A byte of a word of the context, with the tags of its expected and observed origin. */
  | {
      readonly is: 'context-byte-differs';
      readonly slot: number;
      readonly byte: number;
      readonly expected: number;
      readonly observed: number;
    }
  | {
      readonly is: 'context-is-not-zero-extended';
      readonly slot: number;
      readonly bytes: number;
      readonly observed: TaggedWord;
    };
