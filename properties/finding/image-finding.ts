import type { SlotPlace } from '../../model/abi/x86-64.ts';
import type { OwnFinding } from '../../model/core/own-finding.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import type { PlacedFault } from '../../model/x86/machine.ts';
import type { TaggedWord } from '../../model/x86/origin.ts';

/** What is wrong with an image, seen in its bytes or in a call through it. Addresses are hexadecimal. */
export type ImageFinding =
  | OwnFinding
  | BytesFinding
  | StoppedFinding
  | EnterFinding
  | ProgramFinding
  | ReturnFinding
  /** The same, in a form of the image in which programs are patched out (0: all fexit programs) at an offset. */
  | {
      readonly is: 'patched-image-breaks';
      readonly law: string;
      readonly skipped: number;
      readonly offset: number;
      readonly finding: ImageFinding;
    };

/** The findings of a tag. */
export type ImageFindingOf<T extends ImageFinding['is']> = Extract<ImageFinding, { readonly is: T }>;

/** A program of the request; null: what a word points to is none. */
export type ToldProgram = { readonly id: number; readonly kind: TracingKind } | null;

/** Something that happens in a call: a program is entered, the original is, the call comes back. */
export type ToldStep =
  | { readonly is: 'program'; readonly program: ToldProgram }
  | { readonly is: 'original' | 'return' };

/** Seen without running it. */
type BytesFinding =
  /** Where it leads: to an offset in the image, or to an address. */
  | { readonly is: 'branch-leads-astray'; readonly observed: number | string }
  | { readonly is: 'image-is-longer-than-asked'; readonly expected: number; readonly observed: number }
  /** Observed: another length, or the offset of another byte. */
  | {
      readonly is: 'second-generation-differs';
      readonly expected: number;
      readonly observed: { readonly is: 'bytes' | 'offset'; readonly count: number };
    }
  | { readonly is: 'entry-is-not-counted' }
  | { readonly is: 'call-is-not-counted'; readonly callee: string }
  /** `thunk` null: returns are not mitigated. */
  | {
      readonly is: 'return-is-another';
      readonly thunk: string | null;
      readonly observed: 'a plain ret' | 'none';
    }
  /** Offsets in the traced function. */
  | { readonly is: 'original-is-entered-elsewhere'; readonly expected: number; readonly observed: number };

/** Seen where the run of a call ends before it comes back. */
type StoppedFinding =
  /** Where no instruction starts, or for ever. */
  | { readonly is: 'runs-where-nothing-starts'; readonly place: string }
  | { readonly is: 'runs-without-end' }
  | { readonly is: 'access-is-refused'; readonly fault: PlacedFault }
  | { readonly is: 'depends-on-a-value'; readonly what: 'branch' | 'address'; readonly tag: number }
  | { readonly is: 'store-is-refused'; readonly fault: PlacedFault }
  /** Where it stores: over something next to its frame, or at an address. */
  | { readonly is: 'image-stores-elsewhere'; readonly observed: Neighbour | { readonly address: string } };

/** What stands above a frame. */
export type Neighbour = 'saved rbp' | 'return address' | "caller's frame";

/** What the helpers around programs and the image are given, and in which order all run. */
type EnterFinding =
  | { readonly is: 'enter-is-given-no-program'; readonly observed: TaggedWord }
  /** `expected` null: nobody was entered. */
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
  /** `missed`: enter answered zero. */
  | { readonly is: 'program-is-not-exited'; readonly program: ToldProgram; readonly missed: boolean }
  | { readonly is: 'missed-program-runs'; readonly program: ToldProgram }
  | { readonly is: 'program-runs-unasked'; readonly program: ToldProgram; readonly again: boolean }
  | { readonly is: 'entered-program-does-not-run'; readonly program: ToldProgram }
  | { readonly is: 'step-is-another'; readonly expected: ToldStep; readonly observed: ToldStep }
  | { readonly is: 'image-is-entered-again' }
  | { readonly is: 'image-is-left-once-more' }
  | { readonly is: 'helper-is-given-another-image'; readonly observed: TaggedWord }
  | { readonly is: 'image-is-not-pinned'; readonly observed: 'not entered yet' | 'left already' }
  /** At the end of a call, of an image that does not call the original or of one that does. */
  | {
      readonly is: 'pin-is-left-over';
      readonly callsOriginal: boolean;
      readonly observed: 'pinned' | 'not left';
    };

/** What programs find in ctx, and in their run context. */
type ProgramFinding =
  /** The argument words that are not there, counted from 0, and what is. */
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
  /** In the word after that many arguments. */
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

/** What stands in the place of the return value: the original's, zero, or what a program returned. */
export type ReturnInContext =
  | { readonly is: 'of the original' | 'zero' }
  | { readonly is: 'of a program'; readonly program: ToldProgram };

/** What the original finds, and what the caller does. */
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
  /** `off`: bytes from where `rsp` should be. */
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

/** The same with the place that the ABI gives the word. */
export interface PlacedInstead extends FoundInstead {
  readonly place: SlotPlace;
}
