import { present } from '../../model/core/present.ts';
import { passOnce } from '../../model/step.ts';
import type { SequenceReplay, Warned } from './compare.ts';
import { compareEnd, compareStep, warnedIn } from './compare.ts';
import type { Divergence } from './divergence.ts';
import type { Lab } from './lab.ts';
import type { RecordedSequence } from './record.ts';
import type { EventOrder } from './same-events.ts';

/*
 * How long a grace period takes is not recorded. Between two operations of a recording those that are waited for in the
 * background may pass or not, and the kernel itself differs from boot to boot where that decides an answer. A recording
 * agrees if it does with some choice.
 *
 * ```text
 *   b+ f2 0 fentry ─ freg f2 2 ─ b- - 0 ─┬─ funreg f2 2 ─┬─ freg f2 2 ─┬─ bm+ f2 1 fexitm     0, or EAGAIN
 *                                        passes          passes        passes: the trampoline is freed
 * ```
 *
 * All choices are followed side by side. Two of them are the same once their kernels differ only in what still waits:
 * that can pass at any later point as well. The one in which less has passed is kept.
 */

/** One choice so far. */
interface Branch {
  readonly lab: Lab;
  readonly warned: readonly Warned[];
}

/** The replay of the first choice that agrees, or of one that gets furthest, and the recorder's kernel after it. */
export function replayAtAnyPace(
  start: Lab,
  sequence: RecordedSequence,
  order: EventOrder,
): { readonly lab: Lab; readonly replay: SequenceReplay } {
  let branches: readonly Branch[] = [{ lab: start, warned: [] }];
  for (const i of sequence.steps.keys()) {
    const tried = branches.flatMap(atEachPace);
    const divergences = tried.map(({ lab }) => compareStep(lab, sequence, i, order));
    const agreeing = tried.filter((_, n) => divergences[n] === undefined);
    if (agreeing.length === 0) return endOf(tried, divergences);
    branches = distinct(agreeing).map(({ lab, warned }) => ({
      lab,
      warned: [...warned, warnedIn(lab, sequence, i)],
    }));
  }
  const tried = branches.flatMap(atEachPace);
  return endOf(
    tried,
    tried.map(({ lab }) => compareEnd(lab, sequence)),
  );
}

/** The first branch that agrees; if none does, the first. */
function endOf(
  branches: readonly Branch[],
  divergences: readonly (Divergence | undefined)[],
): { readonly lab: Lab; readonly replay: SequenceReplay } {
  const index = Math.max(divergences.indexOf(undefined), 0);
  const { lab, warned } = present(branches[index], 'a branch');
  return { lab, replay: { divergence: divergences[index], warned } };
}

/** A branch, and those in which so much has passed that an answer may depend on it. */
function atEachPace(branch: Branch): Branch[] {
  const paces = [branch];
  if (branch.lab.k.deferred.length === 0) return paces;
  const passing = branch.lab.copy();
  let before = readByOperations(passing);
  while (passOnce(passing.k)) {
    const now = readByOperations(passing);
    if (now !== before) paces.push({ ...branch, lab: passing.copy() });
    before = now;
  }
  return paces;
}

/** Of branches whose kernels differ in what waits only, the first. */
function distinct(branches: readonly Branch[]): Branch[] {
  if (branches.length === 1) return [...branches];
  const first = new Map<string, Branch>();
  for (const branch of branches) {
    const key = readByOperations(branch.lab);
    if (!first.has(key)) first.set(key, branch);
  }
  return [...first.values()];
}

/**
 * What an answer or a call may depend on. Not: retired hashes and tables, images that no site calls, drained pools of
 * return hooks and programs without a file descriptor, which only wait, and how many of them hold a trampoline.
 */
function readByOperations({ k: { ftrace, fgraph, probes, bpf } }: Lab): string {
  const { tables: _, ...read } = ftrace;
  const { rethooks: __, ...hooks } = probes;
  const trampolines = Object.entries(bpf.trampolines).map(([target, tr]) => {
    const { flags, nodes, extensionProg, curImage, ftraceManaged } = tr;
    return { target, flags, nodes, extensionProg, curImage, ftraceManaged };
  });
  return JSON.stringify({ read, fgraph, hooks, trampolines });
}
