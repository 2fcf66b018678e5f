import { parentPort } from 'node:worker_threads';
import { linkKernel } from '../../model/step.ts';
import type { JudgedInput } from './corpus.ts';
import { partMutants } from './part-mutants.ts';
import type { MutantVerdict } from './verdict.ts';
import { verdictOn, verdictWithout } from './verdict.ts';

/*
 * The judge of mutants, in a thread of its own: a mutant may never end, or take all memory. Which mutant of the source
 * is on, its bundle begins with. It imports nothing that it does not judge with: it is started for each mutant.
 */

/** Its work: the mutant of a part by its name; none: the kernel as this bundle has it. */
export interface JudgeTask {
  readonly part?: string;
  readonly inputs: readonly JudgedInput[];
}

let parts: ReadonlyMap<string, ReturnType<typeof partMutants>[number]> | undefined;

function verdict({ part, inputs }: JudgeTask): MutantVerdict {
  if (part === undefined) return verdictOn(inputs);
  parts ??= new Map(partMutants().map((mutant) => [mutant.name, mutant]));
  const mutant = parts.get(part);
  if (mutant === undefined) throw new Error(`no mutant is called ${part}`);
  const { operator, edits, isMade } = mutant;
  const found = verdictOn(inputs, linkKernel(edits));
  return found.is === 'survived' && isMade?.() === false ? verdictWithout(operator) : found;
}

parentPort?.on('message', (task: JudgeTask) => parentPort?.postMessage(verdict(task)));
