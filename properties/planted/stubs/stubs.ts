import type { StubItem } from '../../../model/tracepoint/stub.ts';
import type { StubLaw } from '../../law/stub-law.ts';
import { argumentsReachTheContext } from '../../tracepoint/arguments-reach-the-context.ts';
import { narrowArgumentsAreZeroExtended } from '../../tracepoint/narrow-arguments-are-zero-extended.ts';

/** A deliberate fault in the plan of a stub, as data outside the model. */
export interface PlantedStub {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  readonly law: StubLaw;
  readonly edit: (items: StubItem[]) => StubItem[];
  /** Types of the shortest prototype that shows it, and what its law says of that. */
  readonly args: readonly string[];
  readonly finding: string;
}

const GARBAGE = 'byte 4 of ctx[0] is the same for all arguments / it is byte 4 of argument 1';

/** The board of planted bugs in stubs. */
export const PLANTED_STUBS: readonly PlantedStub[] = [
  {
    name: 'cast-is-forgotten',
    sentence: 'A stub hands its arguments on as they came.',
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.filter((item) => item.do === 'jump'),
    args: ['u32'],
    finding: GARBAGE,
  },
  {
    name: 'cast-keeps-the-sign',
    sentence:
      'A stub casts to the signed type of the size of its argument: -1 of an int becomes -1 of a long.',
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.map((item) => ('signed' in item ? { ...item, signed: true } : item)),
    args: ['u32'],
    finding: 'byte 4 of ctx[0] is the same for all arguments / it is computed',
  },
  {
    name: 'cast-of-a-stack-argument-is-not-written-back',
    sentence: 'A stub reads a narrow argument from the stack, and leaves the word there as it came.',
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.filter((item) => item.do !== 'store'),
    args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u32'],
    finding: 'byte 4 of ctx[5] is the same for all arguments / it is byte 4 of argument 6',
  },
  {
    name: 'stack-arguments-are-written-one-place-too-far',
    sentence: 'A stub writes a narrow argument of the stack into the place of the next.',
    law: argumentsReachTheContext,
    edit: (items) => items.map((item) => (item.do === 'store' ? { ...item, disp: item.disp + 8 } : item)),
    args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u32', 'u64'],
    finding: 'byte 0 of ctx[6] is byte 0 of argument 7 / it is byte 0 of argument 6',
  },
];
