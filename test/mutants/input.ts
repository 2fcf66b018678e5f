import { benchFor } from '../../checker/images/bench.ts';
import type { ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { judgeStub } from '../../checker/stubs/judge-stub.ts';
import { stubFor } from '../../checker/stubs/search-stubs.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { present } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { brokenIn } from './scenario-input.ts';
import { exhaustiveDifference } from './x86/exhaustive.ts';
import { programDifference } from './x86/machine.ts';
import type { Opcode } from './x86/opcode.ts';
import { opcodeDifference } from './x86/opcode.ts';
import type { Ending, Program } from './x86/program.ts';

/** What a mutant is judged on, as a search draws it: plain data. */
export type Input =
  | { readonly is: 'image'; readonly case: ImageCase }
  /** `written` by hand, for what a search rarely draws; absent: drawn, or saved. */
  | { readonly is: 'sequence'; readonly case: AttachCase; readonly written?: true }
  | { readonly is: 'scenario'; readonly scenario: NamedScenario }
  /** The probe stub of a tracepoint's prototype. */
  | { readonly is: 'stub'; readonly types: readonly string[] }
  /** Machine code, and how the reference CPU ends it. */
  | { readonly is: 'program'; readonly program: Program; readonly expected: Ending }
  | { readonly is: 'opcode'; readonly opcode: Opcode }
  /** A comparison for all values, by its name. */
  | { readonly is: 'exhaustive'; readonly name: string };

const bench = benchFor(undefined);
const SEQUENCE_LAWS = [...ATTACH_LAWS, ...HIT_LAWS];

/**
 * The laws that an input breaks in a kernel, those apart that are listed as known or that the sound kernel breaks there;
 * of all but scenarios, the first. A model that throws breaks the rule that it never does.
 */
export function brokenBy(
  input: Input,
  sound: readonly string[] = [],
  program: KernelProgram = KERNEL_PROGRAM,
): string[] {
  try {
    return broken(input, sound, program);
  } catch (error) {
    if (error instanceof Error) return [THROWS];
    throw error;
  }
}

/** Instead of a law: the model throws, as on use of an object that is no more. */
export const THROWS = 'an exception of the model';

/** Instead of a law: two implementations that are independent of each other differ. */
const DIFFERS = {
  program: 'the emulator ends a program as the reference CPU does',
  opcode: 'the decoder reads an opcode as the opcode map and iced-x86 do',
  exhaustive: 'the assembler, arithmetic and tables are right for all values',
};

function broken(input: Input, sound: readonly string[], program: KernelProgram): string[] {
  switch (input.is) {
    case 'image': {
      const { verdict } = runCase(bench, input.case, { laws: IMAGE_LAWS, known: KNOWN });
      return verdict?.breach === undefined ? [] : [verdict.breach.law.name];
    }
    case 'sequence': {
      const { newBreach } = runSequence(input.case, { laws: SEQUENCE_LAWS, known: KNOWN_ATTACH, program });
      return newBreach === undefined ? [] : [newBreach.law.name];
    }
    case 'scenario':
      return brokenIn(input.scenario, sound, program);
    case 'stub': {
      const args = input.types.map((name) => present(typeNamed(name), name));
      const breach = judgeStub(stubFor(args, undefined), args);
      return breach === undefined ? [] : [breach.law.name];
    }
    case 'program':
      return programDifference(input.program, input.expected) === undefined ? [] : [DIFFERS.program];
    case 'opcode':
      return opcodeDifference(input.opcode) === undefined ? [] : [DIFFERS.opcode];
    case 'exhaustive':
      return exhaustiveDifference(input.name) === undefined ? [] : [DIFFERS.exhaustive];
    default:
      return unreachable(input);
  }
}
