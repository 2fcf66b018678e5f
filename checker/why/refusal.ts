import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { RefuseInstruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { Locals } from '../../model/core/part.ts';
import { item } from '../../model/core/present.ts';
import type { World } from '../../model/core/world.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { apply } from '../../model/step.ts';
import { copyKernel, copyPart } from '../../properties/observed/copy-kernel.ts';
import type { AttachCase } from '../sequences/attach-case.ts';
import type { Looked } from './guard.ts';
import { passesOn, watchGuard } from './guard.ts';

/** A return site that was taken. */
export interface Taken {
  readonly routine: string;
  /** The guard, by its id in the routine. */
  readonly id: string;
  readonly errno: Errno;
  readonly looked: readonly Looked[];
}

/** A step of a sequence that was refused. */
export interface RefusedStep {
  /** Index of the action. */
  readonly at: number;
  readonly action: Action;
  readonly errno: Errno;
  readonly before: Kernel;
  /** What clients were promised before it. */
  readonly promises: Promises;
  /** The place of the refusal; undefined when no function of the kernel was entered: no client makes that call. */
  readonly site: Taken | undefined;
  /** Those that passed the errno on, outward. */
  readonly passedOn: readonly Taken[];
}

/** All steps of a sequence, each with the kernel before it. */
export interface PlayedTrace {
  readonly action: Action;
  readonly outcome: Outcome;
  readonly before: Kernel;
  readonly promises: Promises;
}

/** Plays a sequence, to its end or until the kernel crashes. */
export function playAll(c: AttachCase, program: KernelProgram): PlayedTrace[] {
  const { profile, functions, tracepoints = [], actions } = c;
  const k = bootKernel({ profile, boot: 'default', functions, tracepoints });
  let promises = nothingPromised(profile, functions);
  const played: PlayedTrace[] = [];
  for (const action of actions) {
    const before = copyKernel(k);
    const outcome = apply(k, action, program);
    played.push({ action, outcome, before, promises });
    if (outcome.died !== undefined) break;
    promises = promised(promises, action, outcome);
  }
  return played;
}

/** The refusal of a step that was refused. */
export function refusalAt(
  played: readonly PlayedTrace[],
  index: number,
  program: KernelProgram,
): RefusedStep {
  const { action, outcome, before, promises } = item(played, index);
  const errno = outcome.errno as Errno;
  const chain = chainOf(sitesTaken(before, action, program), errno);
  const [site, ...passedOn] = chain;
  return { at: index, action, errno, before, promises, site, passedOn };
}

/** Every return site that an action takes, in order; also those that the kernel records before it continues. */
function sitesTaken(before: KernelView, action: Action, program: KernelProgram): Taken[] {
  const taken: Taken[] = [];
  let asked: { readonly k: World; readonly at: Locals } | undefined;
  apply(copyKernel(before), action, program, {
    step: (instruction, k, locals) => {
      if (instruction.do === DO.REFUSE)
        asked = { k: copyKernel(k as Kernel), at: copyPart(locals) as Locals };
    },
    refused: (instruction, errno) => taken.push(takenAt(instruction, errno, asked!)),
  });
  return taken;
}

function takenAt(
  instruction: RefuseInstruction,
  errno: Errno,
  asked: { readonly k: World; readonly at: Locals },
): Taken {
  const { routine, id } = instruction;
  return { routine, id, errno, looked: watchGuard(instruction, asked.k, asked.at) };
}

/** From the last site that gave the errno back to the one that it came from: the first does not pass on. */
function chainOf(taken: readonly Taken[], errno: Errno): Taken[] {
  const chain: Taken[] = [];
  for (const item of taken.filter((site) => site.errno === errno).toReversed()) {
    chain.unshift(item);
    if (!passesOn(item.looked, errno)) break;
  }
  return chain;
}
