import { parentPort } from 'node:worker_threads';
import { unreachable } from '../../model/core/unreachable.ts';
import { linkKernel } from '../../model/step.ts';
import type { Corpus, CorpusBound, JudgedInput } from './corpus.ts';
import { drawCorpus } from './corpus.ts';
import { partMutants } from './part-mutants.ts';
import { MARKS } from './source-mutants.ts';
import type { MutantVerdict } from './verdict.ts';
import { verdictOn } from './verdict.ts';

/*
 * The judge of mutants, in a thread of its own: a mutant may never end, or take all memory. Which mutant of the source
 * is on, its bundle begins with.
 */

/** Its work. */
export type JudgeTask =
  | { readonly do: 'draw'; readonly bound: CorpusBound }
  /** The mutant of a part by its name; none: the kernel as this bundle has it. */
  | { readonly do: 'judge'; readonly part?: string; readonly inputs: readonly JudgedInput[] };

export type Done =
  | { readonly is: 'corpus'; readonly corpus: Corpus }
  | { readonly is: 'verdict'; readonly verdict: MutantVerdict };

/** The marks of a bundle that has them. */
const marks = (globalThis as { [MARKS]?: Uint8Array })[MARKS];

function* marked(): Generator<number> {
  for (const [number, isReached] of marks?.entries() ?? []) if (isReached === 1) yield number;
  marks?.fill(0);
}

const mutants = new Map(partMutants().map((mutant) => [mutant.name, mutant]));

function done(task: JudgeTask): Done {
  switch (task.do) {
    case 'draw':
      return { is: 'corpus', corpus: drawCorpus(task.bound, marked) };
    case 'judge': {
      const { part, inputs } = task;
      const mutant = part === undefined ? undefined : mutants.get(part);
      const program = mutant === undefined ? undefined : linkKernel(mutant.edits);
      return { is: 'verdict', verdict: verdictOn(inputs, program) };
    }
    default:
      return unreachable(task);
  }
}

parentPort?.on('message', (task: JudgeTask) => parentPort?.postMessage(done(task)));
