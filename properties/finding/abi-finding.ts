import type { Errno } from '../../model/core/errno.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import type { ImageFinding } from './image-finding.ts';

/** What is wrong with where arguments lie, and with who shares an image. */
export type AbiFinding =
  | { readonly is: 'two-words-in-a-place'; readonly place: string; readonly signature: Signature }
  /** Counted from 0. */
  | { readonly is: 'argument-lies-in-two-kinds'; readonly argument: number; readonly signature: Signature }
  | {
      readonly is: 'functions-are-served-otherwise';
      readonly expected: readonly number[];
      readonly observed: readonly number[];
    }
  /** `expected`: so many images at most. */
  | {
      readonly is: 'image-count-differs';
      readonly functions: number;
      readonly expected: number;
      readonly observed: { readonly images: number; readonly classes: number; readonly empty: number };
    }
  /** Images that are needed without the last function and with it; by exact plans and by prefixes. */
  | { readonly is: 'fewer-functions-need-more'; readonly expected: number; readonly observed: number }
  | { readonly is: 'prefixes-need-more'; readonly expected: number; readonly observed: number }
  /** Who shares with whom. */
  | {
      readonly is: 'sharers-depend-on-the-order';
      readonly order: readonly number[];
      readonly expected: readonly (readonly number[])[];
      readonly observed: readonly (readonly number[])[];
    }
  | { readonly is: 'plan-is-of-no-function'; readonly plan: readonly string[] }
  /** In a call of one function through the image that was made for another. */
  | {
      readonly is: 'shared-image-breaks';
      readonly called: Signature;
      readonly made: Signature;
      readonly finding: SharedFinding;
    };

/** What is wrong with the call of a function that shares an image. */
export type SharedFinding =
  | ImageFinding
  | { readonly is: 'image-is-refused'; readonly errno: Errno }
  /** The run ends in a way that no law forbids which is asked. */
  | { readonly is: 'call-is-not-seen-to-its-end'; readonly law: string; readonly finding: ImageFinding }
  /** Where a word of ctx is copied from; observed null: nothing is copied there. */
  | {
      readonly is: 'context-is-copied-otherwise';
      readonly slot: number;
      readonly expected: string;
      readonly observed: string | null;
    };
