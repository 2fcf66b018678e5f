import type { FunctionName, ImageId, OpsId } from '../../core/ids.ts';
import type { OwnFinding } from '../../core/own-finding.ts';

/*
 * A design keeps counts, lists and images that follow from each other. A disagreement between them is found
 * here before it has an effect: a counter that is one too low frees something under another link much later.
 * They are checked between operations only; a half-done attach may disagree with itself.
 */

/** An inconsistency in the state of a design beside the links. Programs by number. */
export type Disagreement =
  | OwnFinding
  /** An image for many functions is for other programs than those attached, or is retired. `image` empty: none. */
  | {
      readonly is: 'shared-image-is-for-others';
      readonly of: string;
      readonly expected: readonly number[];
      readonly image: ImageId;
      readonly observed: readonly number[];
    }
  | {
      readonly is: 'shared-image-is-retired';
      readonly of: string;
      readonly expected: readonly number[];
      readonly image: ImageId;
    }
  | {
      readonly is: 'multi-image-is-for-others';
      readonly of: string;
      readonly expected: readonly number[];
      readonly observed: readonly number[];
    }
  /**
   * The sets of two trampolines overlap, or a set overlaps with a single one: the site can call one image only,
   * and the programs of the other do not run.
   */
  | { readonly is: 'function-has-two-trampolines'; readonly fn: FunctionName; readonly other: string }
  | {
      // `progs_cnt` decides whether an image is made at all, and E2BIG.
      readonly is: 'program-count-differs';
      readonly of: string;
      readonly counter: 'progs_cnt' | 'bpf_prog_cnt';
      readonly expected: number;
      readonly observed: number;
    }
  /** An array of metadata that is not current, and that no callback will free: a leak. */
  | { readonly is: 'array-is-never-freed'; readonly array: number }
  /** `kfunc_md_used` and the entries of the hash. The array grows and shrinks by the counter. */
  | { readonly is: 'entry-count-differs'; readonly expected: number; readonly observed: number }
  /** `bpf_origin_call` of a function, which follows from its lists of programs. */
  | { readonly is: 'origin-call-differs'; readonly fn: FunctionName; readonly observed: boolean }
  | {
      // The filter of an ops against the functions with programs: a call that no program sees costs a lookup
      // for nothing.
      readonly is: 'ops-traces-otherwise';
      readonly ops: OpsId;
      readonly fn: FunctionName;
      readonly programs: number;
      readonly traced: boolean;
    }
  | {
      // Users of metadata against links: one too few frees it under a call.
      readonly is: 'user-count-differs';
      readonly fn: FunctionName;
      readonly expected: number;
      readonly observed: number;
    };
