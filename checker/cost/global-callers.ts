import type { CallerShape, Lookup } from '../../model/trampoline/designs/global/global-caller.ts';
import { cleanInt } from '../../model/trampoline/designs/global/global-caller.ts';
import { helpersCalled } from '../../model/trampoline/designs/global/helpers-called.ts';
import { inlined } from '../../model/trampoline/designs/global/inlined.ts';
import { hashLookup, paddingLookup } from '../../model/trampoline/designs/global/lookup.ts';
import { RAX } from '../../model/x86/register.ts';
import type { GlobalCode, GlobalKind } from './global-code.ts';
import { METADATA, runGlobalCode } from './global-code.ts';

/** A figure of the global trampoline's posting, and the same counted in the code of the model. */
export interface PostedFigure {
  readonly what: string;
  readonly posted: string;
  readonly counted: number;
}

/** The callers for one kind of program, each executed once. */
export interface CountedCallers {
  readonly name: string;
  /** The helpers around a program are called, as in the designs; inlined, as posted; and without the tests of constants. */
  readonly called: GlobalCode;
  /** Undefined: the helpers of sleepable programs are not inlined here. */
  readonly inlined: GlobalCode | undefined;
  readonly specialised: GlobalCode;
}

const CALLED: CallerShape = { lookup: hashLookup, answer: cleanInt, around: helpersCalled };
const INLINED: CallerShape = { ...CALLED, around: inlined };

/** The figures that the cover letter gives. */
export function postedFigures(): PostedFigure[] {
  return [
    { what: 'instructions of a look-up in the hash', posted: '~15', counted: lookupCost(hashLookup) },
    {
      what: 'instructions of a look-up through the padding',
      posted: '5',
      counted: lookupCost(paddingLookup),
    },
    { what: 'function calls that inlining avoids, fentry', posted: '2', counted: avoided('fentry') },
    { what: 'the same, fexit and fmodret', posted: '4', counted: avoided('fexit') },
  ];
}

/** A look-up that is one instruction. */
const immediate: Lookup = (a) => a.loadSymbol(RAX, METADATA);

/** An entry is the first of its list. */
function lookupCost(lookup: Lookup): number {
  const instructions = (by: Lookup) =>
    runGlobalCode({ ...CALLED, lookup: by }, { nrArgs: 1, kind: 'fentry' }).instructions;
  return instructions(lookup) - instructions(immediate) + 1;
}

/** Calls of helpers that are no longer made. What such a helper calls itself is called by the caller instead. */
function avoided(kind: GlobalKind): number {
  const [before, after] = [CALLED, INLINED].map(
    (shape) => runGlobalCode(shape, { nrArgs: 1, kind }).cFunctions,
  );
  return Object.entries(before ?? {})
    .filter(([name]) => after?.[name] === undefined)
    .reduce((sum, [, times]) => sum + times, 0);
}

/** Callers for functions with one argument; and the one that the posting names, with two. */
export function countedCallers(): CountedCallers[] {
  const kinds = [
    ['fentry', 'fentry', false],
    ['fexit', 'fexit', true],
    ['fmodret', 'fmod_ret', true],
  ] as const;
  const specialised = { sleepable: false };
  const sleeping = { nrArgs: 2, kind: 'fexit', sleepable: true } as const;
  return [
    ...kinds.map(([name, kind, origin]) => ({
      name,
      called: runGlobalCode(CALLED, { nrArgs: 1, kind }),
      inlined: runGlobalCode(INLINED, { nrArgs: 1, kind }),
      specialised: runGlobalCode({ ...INLINED, ...specialised, origin }, { nrArgs: 1, kind }),
    })),
    {
      name: 'bpf_global_caller_2_sleep_origin',
      called: runGlobalCode(CALLED, sleeping),
      inlined: undefined,
      specialised: runGlobalCode({ ...CALLED, sleepable: true, origin: true }, sleeping),
    },
  ];
}
