import { argumentOrigin } from '../../../model/tracepoint/execute-stub.ts';
import type { StubItem } from '../../../model/tracepoint/stub.ts';
import { CONSTANT, MIXED, tagOf } from '../../../model/x86/origin.ts';
import type { StubFinding } from '../../finding/stub-finding.ts';
import type { StubLaw } from '../../law/stub-law.ts';
import { argumentsReachTheContext } from '../../tracepoint/arguments-reach-the-context.ts';
import { narrowArgumentsAreZeroExtended } from '../../tracepoint/narrow-arguments-are-zero-extended.ts';

/** A deliberate fault in the plan of a stub, as data outside the model. */
export interface PlantedStub {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  readonly law: StubLaw;
  readonly edit: (items: StubItem[]) => StubItem[];
  /** Types of the shortest prototype that shows it, and the law's finding for it. */
  readonly args: readonly string[];
  readonly finding: StubFinding;
}

/** The expected origin of a byte, constant or its own argument's, and the observed one. */
function byteIs(slot: number, byte: number, expected: number, observed: number): StubFinding {
  return { is: 'context-byte-differs', slot, byte, expected, observed };
}

/** The planted bugs of stubs. */
export const PLANTED_STUBS: readonly PlantedStub[] = [
  {
    name: 'cast-is-forgotten',
    sentence: 'A stub passes its arguments on uncast.',
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.filter((item) => item.do === 'jump'),
    args: ['u32'],
    finding: byteIs(0, 4, CONSTANT, tagOf(argumentOrigin(0), 4)),
  },
  {
    name: 'cast-keeps-the-sign',
    sentence: "A stub casts to the signed type of the argument's size: -1 of an int becomes -1 of a long.",
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.map((item) => ('signed' in item ? { ...item, signed: true } : item)),
    args: ['u32'],
    finding: byteIs(0, 4, CONSTANT, MIXED),
  },
  {
    name: 'cast-of-a-stack-argument-is-not-written-back',
    sentence: 'A stub reads a narrow argument from the stack and does not write the cast word back.',
    law: narrowArgumentsAreZeroExtended,
    edit: (items) => items.filter((item) => item.do !== 'store'),
    args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u32'],
    finding: byteIs(5, 4, CONSTANT, tagOf(argumentOrigin(5), 4)),
  },
  {
    name: 'stack-arguments-are-written-one-place-too-far',
    sentence: 'A stub writes a narrow stack argument into the slot of the next one.',
    law: argumentsReachTheContext,
    edit: (items) => items.map((item) => (item.do === 'store' ? { ...item, disp: item.disp + 8 } : item)),
    args: ['u64', 'u64', 'u64', 'u64', 'u64', 'u32', 'u64'],
    finding: byteIs(6, 0, tagOf(argumentOrigin(6), 0), tagOf(argumentOrigin(5), 0)),
  },
];
