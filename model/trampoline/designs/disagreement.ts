import type { FunctionName, ImageId, OpsId } from '../../core/ids.ts';
import type { OwnFinding } from '../../core/own-finding.ts';

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
  /** The sets of two trampolines overlap, or a set overlaps with a single one. */
  | { readonly is: 'function-has-two-trampolines'; readonly fn: FunctionName; readonly other: string }
  | {
      readonly is: 'program-count-differs';
      readonly of: string;
      readonly counter: 'progs_cnt' | 'bpf_prog_cnt';
      readonly expected: number;
      readonly observed: number;
    }
  /** An array of metadata that is not current, and that no callback will free. */
  | { readonly is: 'array-is-never-freed'; readonly array: number }
  /** `kfunc_md_used` and the entries of the hash. */
  | { readonly is: 'entry-count-differs'; readonly expected: number; readonly observed: number }
  /** `bpf_origin_call` of a function, which follows from its lists of programs. */
  | { readonly is: 'origin-call-differs'; readonly fn: FunctionName; readonly observed: boolean }
  | {
      readonly is: 'ops-traces-otherwise';
      readonly ops: OpsId;
      readonly fn: FunctionName;
      readonly programs: number;
      readonly traced: boolean;
    }
  | {
      readonly is: 'user-count-differs';
      readonly fn: FunctionName;
      readonly expected: number;
      readonly observed: number;
    };
