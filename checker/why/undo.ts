import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { apply } from '../../model/step.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { detachOf, removalsOf } from '../../properties/observed/detach.ts';
import type { RefusedStep } from './refusal.ts';

/** Calls that take back what clients have done, fewest first. */
export interface UndoSearch {
  /**
   * Calls that make the refused call answer 0, when they are made just before it; undefined: none within the bound.
   */
  readonly found: readonly Action[] | undefined;
  /** Calls at most. */
  readonly calls: number;
  /** How many lists of calls were tried. */
  readonly tried: number;
  /** All that there are within the bound were tried, or all that are as short as the one that was found. */
  readonly isWhole: boolean;
}

/** A kernel in which calls were undone. */
interface State {
  readonly k: Kernel;
  readonly promises: Promises;
  readonly done: readonly Action[];
}

/** How many lists of calls are tried at most. */
const TRIALS_MOST = 2_000;

/** Searches breadth first for the fewest inverse calls after which the refused call answers 0. */
export function smallestUndo(
  { before, promises, action }: RefusedStep,
  history: readonly Action[],
  program: KernelProgram,
  calls: number,
): UndoSearch {
  const { profile } = before;
  let front: State[] = [{ k: before, promises, done: [] }];
  let tried = 0;
  for (let length = 1; length <= calls; length++) {
    const next: State[] = [];
    for (const state of front)
      for (const inverse of inverses(profile, state, history)) {
        if (tried === TRIALS_MOST) return { found: undefined, calls, tried, isWhole: false };
        tried++;
        const after = doneIn(state, inverse, program);
        if (after === undefined) continue;
        if (isAccepted(after.k, action, program)) return { found: after.done, calls, tried, isWhole: true };
        next.push(after);
      }
    front = next;
  }
  return { found: undefined, calls, tried, isWhole: true };
}

/** Whether a call answers 0, and the kernel lives. */
export function isAccepted(k: KernelView, action: Action, program: KernelProgram): boolean {
  const { errno, died } = apply(copyKernel(k), action, program);
  return errno === 0 && died === undefined;
}

/** An undo that is refused itself, or crashes the kernel, does not count. */
function doneIn({ k, promises, done }: State, action: Action, program: KernelProgram): State | undefined {
  const copy = copyKernel(k);
  const outcome = apply(copy, action, program);
  if (outcome.errno !== 0 || outcome.died !== undefined) return undefined;
  return { k: copy, promises: promised(promises, action, outcome), done: [...done, action] };
}

/** The inverse calls of live objects, the newest first; then of programs, filters, and switches. */
function inverses(profile: string, { k, promises, done }: State, history: readonly Action[]): Action[] {
  const freeFilters = profileNamed(profile).directApi !== 'ip and multi';
  const detaching = promises.clients.toReversed().map((client) => detachOf(client, freeFilters));
  const past = [...history, ...done].toReversed();
  const others = past.flatMap((action) => callOf(action).undo?.(action, k, promises) ?? []);
  const passing: Action[] = k.deferred.length > 0 ? [{ do: 'settle' }] : [];
  const texts = new Set<string>();
  return [...detaching, ...removalsOf(promises), ...others, ...passing].filter((action) => {
    const text = JSON.stringify(action);
    return !texts.has(text) && texts.add(text);
  });
}
