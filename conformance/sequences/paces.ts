import { present } from '../../model/core/present.ts';
import type { Kernel } from '../../model/kernel.ts';
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
    const tried = branches.flatMap(branchesOf);
    const divergences = tried.map(({ lab }) => compareStep(lab, sequence, i, order));
    const agreeing = tried.filter((_, n) => divergences[n] === undefined);
    if (agreeing.length === 0) return endOf(tried, divergences);
    branches = distinct(agreeing, ({ lab }) => lab.k).map(({ lab, warned }) => ({
      lab,
      warned: [...warned, warnedIn(lab, sequence, i)],
    }));
  }
  const tried = branches.flatMap(branchesOf);
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

function branchesOf(branch: Branch): Branch[] {
  return atEachPace(branch.lab).map((lab) => ({ ...branch, lab }));
}

/** A state with a kernel in it, which can be copied. */
export interface Paced<T> {
  readonly k: Kernel;
  copy(): T;
}

/** A state, and those in which so much has passed that an answer may depend on it. */
export function atEachPace<T extends Paced<T>>(state: T): T[] {
  const paces = [state];
  if (state.k.deferred.length === 0) return paces;
  const passing = state.copy();
  let before = readByOperations(passing.k);
  while (passOnce(passing.k)) {
    const now = readByOperations(passing.k);
    if (now !== before) paces.push(passing.copy());
    before = now;
  }
  return paces;
}

/** Of states whose kernels differ in what waits only, the first. */
export function distinct<T>(states: readonly T[], kernelOf: (state: T) => Kernel): T[] {
  if (states.length === 1) return [...states];
  const first = new Map<string, T>();
  for (const state of states) {
    const key = readByOperations(kernelOf(state));
    if (!first.has(key)) first.set(key, state);
  }
  return [...first.values()];
}

/**
 * What an answer or a call may depend on. Not: retired hashes and tables, images that no site calls, drained pools of
 * return hooks and programs without a file descriptor, which only wait, and how many of them hold a trampoline.
 */
function readByOperations({ ftrace, fgraph, probes, bpf }: Kernel): string {
  const { tables: _, ...read } = ftrace;
  const { rethooks: __, newerPools: ___, ...hooks } = probes;
  const trampolines = Object.entries(bpf.trampolines).map(([target, tr]) => {
    const { flags, nodes, extensionProg, curImage, ftraceManaged } = tr;
    return { target, flags, nodes, extensionProg, curImage, ftraceManaged };
  });
  return JSON.stringify({ read, fgraph, hooks, trampolines });
}
