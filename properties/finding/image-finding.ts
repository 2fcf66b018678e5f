import type { SlotPlace } from '../../model/abi/x86-64.ts';
import type { OwnFinding } from '../../model/core/own-finding.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import type { PlacedFault } from '../../model/x86/machine.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';

/** Breaches seen in an image's bytes or in a call through it. Addresses are hexadecimal. */
export type ImageFinding =
  | OwnFinding
  | BytesFinding
  | StoppedFinding
  | EnterFinding
  | ProgramFinding
  | ReturnFinding
  /** The same, with programs patched out at an offset (0: all fexit programs). */
  | {
      readonly is: 'patched-image-breaks';
      readonly law: string;
      readonly skipped: number;
      readonly offset: number;
      readonly finding: ImageFinding;
    };

/** The findings of a tag. */
export type ImageFindingOf<T extends ImageFinding['is']> = Extract<ImageFinding, { readonly is: T }>;

/** A program of the request; null: the pointer is to none of them. */
export type ToldProgram = { readonly id: number; readonly kind: TracingKind } | null;

/** One event of a call: a program or the original is entered, or the call returns. */
export type ToldStep =
  | { readonly is: 'program'; readonly program: ToldProgram }
  | { readonly is: 'original' | 'return' };

/** Seen without execution. */
type BytesFinding =
  /** The branch's target: an offset in the image, or an address. */
  | { readonly is: 'branch-leads-astray'; readonly observed: number | string }
  | { readonly is: 'image-is-longer-than-asked'; readonly expected: number; readonly observed: number }
  /** Observed: another length, or the offset of a different byte. */
  | {
      readonly is: 'second-generation-differs';
      readonly expected: number;
      readonly observed: { readonly is: 'bytes' | 'offset'; readonly count: number };
    }
  | { readonly is: 'entry-is-not-counted' }
  | { readonly is: 'entry-is-no-target' }
  | { readonly is: 'call-is-not-counted'; readonly callee: string }
  /** `thunk` null: returns are not mitigated. */
  | {
      readonly is: 'return-is-another';
      readonly thunk: string | null;
      readonly observed: 'a plain ret' | 'none';
    }
  /** A word of an argument is not where the ABI has it. */
  | {
      readonly is: 'caller-passes-elsewhere';
      readonly argument: number;
      readonly expected: SlotPlace;
      readonly observed: SlotPlace | null;
    }
  /** Offsets in the traced function. */
  | { readonly is: 'original-is-entered-elsewhere'; readonly expected: number; readonly observed: number };

/** The run of a call ends before its return. */
type StoppedFinding =
  /** Where no instruction starts, or forever. */
  | { readonly is: 'runs-where-nothing-starts'; readonly place: string }
  | { readonly is: 'runs-without-end' }
  | { readonly is: 'access-is-refused'; readonly fault: PlacedFault }
  | { readonly is: 'depends-on-a-value'; readonly what: 'branch' | 'address'; readonly tag: number }
  | { readonly is: 'store-is-refused'; readonly fault: PlacedFault }
  /** Where it writes: over something next to its frame, or to an address. */
  | { readonly is: 'image-stores-elsewhere'; readonly observed: Neighbour | { readonly address: string } };

/** What lies above a frame. */
export type Neighbour = 'saved rbp' | 'return address' | "caller's frame";

/** The arguments of the helpers around programs and the image, and the order in which all run. */
type EnterFinding =
  | { readonly is: 'enter-is-given-no-program'; readonly observed: TaggedWord }
  /** `expected` null: no program was entered. */
  | {
      readonly is: 'exit-is-given-another-program';
      readonly expected: ToldProgram;
      readonly observed: ToldProgram | TaggedWord;
    }
  | {
      readonly is: 'exit-is-given-another-start';
      readonly program: ToldProgram;
      readonly observed: TaggedWord;
    }
  /** `missed`: enter returned zero. */
  | { readonly is: 'program-is-not-exited'; readonly program: ToldProgram; readonly missed: boolean }
  | { readonly is: 'missed-program-runs'; readonly program: ToldProgram }
  | { readonly is: 'program-runs-unasked'; readonly program: ToldProgram; readonly again: boolean }
  | { readonly is: 'entered-program-does-not-run'; readonly program: ToldProgram }
  | { readonly is: 'step-is-another'; readonly expected: ToldStep; readonly observed: ToldStep }
  | { readonly is: 'image-is-entered-again' }
  | { readonly is: 'image-is-left-once-more' }
  | { readonly is: 'helper-is-given-another-image'; readonly observed: TaggedWord }
  | { readonly is: 'image-is-not-pinned'; readonly observed: 'not entered yet' | 'left already' }
  /** At the end of a call, for an image with or without a call of the original. */
  | {
      readonly is: 'pin-is-left-over';
      readonly callsOriginal: boolean;
      readonly observed: 'pinned' | 'not left';
    };

/** What programs find in ctx and in their run context. */
type ProgramFinding =
  /** The misplaced argument words, counted from 0, and what is there instead. */
  | {
      readonly is: 'program-arguments-differ';
      readonly program: ToldProgram;
      readonly words: readonly [FoundInstead, ...FoundInstead[]];
    }
  | {
      readonly is: 'upper-bytes-differ';
      readonly program: ToldProgram;
      readonly bytes: readonly [UpperByte, ...UpperByte[]];
    }
  /** In the word after this many arguments. */
  | {
      readonly is: 'return-in-context-differs';
      readonly program: ToldProgram;
      readonly slot: number;
      readonly expected: ReturnInContext;
      readonly observed: TaggedWord;
    }
  | {
      readonly is: 'argument-count-differs';
      readonly program: ToldProgram;
      readonly expected: number;
      readonly observed: TaggedWord;
    }
  | {
      readonly is: 'told-function-differs';
      readonly program: ToldProgram;
      readonly expected: string;
      readonly observed: TaggedWord;
    }
  | { readonly is: 'told-half-differs'; readonly program: ToldProgram; readonly expected: 'entry' | 'exit' }
  | {
      readonly is: 'run-context-has-another-cookie';
      readonly program: ToldProgram;
      readonly expected: string;
      readonly observed: TaggedWord;
    }
  | { readonly is: 'exit-is-given-another-context'; readonly observed: TaggedWord }
  | { readonly is: 'outer-context-is-lost'; readonly observed: TaggedWord }
  | {
      readonly is: 'session-cookie-differs';
      readonly program: ToldProgram;
      readonly expected: 'zero' | 'left there';
      readonly observed: TaggedWord;
    };

/** An argument word, counted from 0, and what is found in its place. */
export interface FoundInstead {
  readonly argument: number;
  readonly observed: TaggedWord;
}

/** A byte above a narrow argument; observed is its tag. */
export interface UpperByte {
  readonly argument: number;
  readonly byte: number;
  readonly expected: 'zero' | "the caller's";
  readonly observed: number;
}

/** The expected return value in ctx: the original's, zero, or a program's. */
export type ReturnInContext =
  | { readonly is: 'of the original' | 'zero' }
  | { readonly is: 'of a program'; readonly program: ToldProgram };

/** What the original finds, and what the caller gets back. */
type ReturnFinding =
  | { readonly is: 'original-runs-again' }
  | { readonly is: 'original-runs-all-the-same'; readonly stopper: ToldProgram }
  | { readonly is: 'original-does-not-run' }
  /** Bytes above a multiple of 16. */
  | { readonly is: 'stack-is-misaligned'; readonly observed: number }
  | {
      readonly is: 'arguments-of-the-original-differ';
      readonly words: readonly [PlacedInstead, ...PlacedInstead[]];
    }
  | { readonly is: 'tail-call-counter-is-lost'; readonly observed: TaggedWord }
  /** `off`: distance in bytes from the right `rsp`. */
  | {
      readonly is: 'returns-to-another-place';
      readonly expected: 'past the function' | 'to the caller' | 'into the function';
      readonly off: number;
      readonly observed: string;
    }
  | { readonly is: 'caller-finds-another-rsp'; readonly off: number }
  | { readonly is: 'saved-register-is-lost'; readonly register: string; readonly observed: TaggedWord }
  | {
      readonly is: 'returned-register-differs';
      readonly register: 'rax' | 'rdx';
      readonly expected:
        | { readonly is: 'of the original' }
        | { readonly is: 'of a program'; readonly program: ToldProgram };
      readonly observed: TaggedWord;
    };

/** The same with the word's location in the ABI. */
export interface PlacedInstead extends FoundInstead {
  readonly place: SlotPlace;
}
