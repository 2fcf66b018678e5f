import type { Errno } from '../../model/core/errno.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import type { ImageFinding } from './image-finding.ts';

/** Breaches of laws on argument locations and shared images. */
export type AbiFinding =
  | { readonly is: 'two-words-in-a-place'; readonly place: string; readonly signature: Signature }
  /** Counted from 0. */
  | { readonly is: 'argument-lies-in-two-kinds'; readonly argument: number; readonly signature: Signature }
  | {
      readonly is: 'functions-are-served-otherwise';
      readonly expected: readonly number[];
      readonly observed: readonly number[];
    }
  /** `expected`: the largest allowed number of images. */
  | {
      readonly is: 'image-count-differs';
      readonly functions: number;
      readonly expected: number;
      readonly observed: { readonly images: number; readonly classes: number; readonly empty: number };
    }
  /** Images needed without and with the last function; for exact plans and for prefixes. */
  | { readonly is: 'fewer-functions-need-more'; readonly expected: number; readonly observed: number }
  | { readonly is: 'prefixes-need-more'; readonly expected: number; readonly observed: number }
  /** The sets of functions that share an image. */
  | {
      readonly is: 'sharers-depend-on-the-order';
      readonly order: readonly number[];
      readonly expected: readonly (readonly number[])[];
      readonly observed: readonly (readonly number[])[];
    }
  | { readonly is: 'plan-is-of-no-function'; readonly plan: readonly string[] }
  /** In a call of one function through the image generated for another. */
  | {
      readonly is: 'shared-image-breaks';
      readonly called: Signature;
      readonly made: Signature;
      readonly finding: SharedFinding;
    };

/** A breach in a call through a shared image. */
export type SharedFinding =
  | ImageFinding
  | { readonly is: 'image-is-refused'; readonly errno: Errno }
  /** The run ends in a way that another law forbids. */
  | { readonly is: 'call-is-not-seen-to-its-end'; readonly law: string; readonly finding: ImageFinding }
  /** The source of a word of ctx; observed null: no word is copied there. */
  | {
      readonly is: 'context-is-copied-otherwise';
      readonly slot: number;
      readonly expected: string;
      readonly observed: string | null;
    };
