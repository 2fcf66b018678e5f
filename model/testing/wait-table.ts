import { backgroundRoutines } from '../api.ts';
import type { Action } from '../client/all.ts';
import type { Errno } from '../core/errno.ts';
import type { Instruction } from '../core/instruction.ts';
import { DO } from '../core/instruction.ts';
import type { Flavour } from '../core/part.ts';
import { last } from '../core/present.ts';
import { KERNELS } from '../core/profile.ts';
import type { Ended } from '../core/world.ts';
import { bootKernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { BUSY_FUNCTIONS } from './busy-sequence.ts';

/*
 * For the model's own tests: what an operation waits for, as text.
 */

/** Routines that run on when an operation is over. */
export const IN_BACKGROUND = backgroundRoutines().map(({ name }) => name);

/** Flavours, abbreviated. */
const SHORT: Readonly<Record<Flavour, string>> = {
  rcu: 'rcu',
  rcu_tasks: 'tasks',
  rcu_tasks_rude: 'rude',
  rcu_tasks_trace: 'trace',
  percpu_ref: 'ref',
  workqueue: 'work',
};

/**
 * What the last of these actions waits for, and after it the background work, until nothing waits any more.
 * Each grace period that is passed counts once.
 */
function waitsOf(profile: string, actions: readonly Action[], errno: Ended): string {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  const before = actions.slice(0, -1);
  for (const action of [...before, { do: 'settle' } as const])
    if (apply(k, action).errno !== 0) return 'not here';
  const waits: string[] = [];
  const later: Record<string, string[]> = {};
  const step = (instruction: Instruction): void => {
    if (instruction.do !== DO.WAIT) return;
    const list = IN_BACKGROUND.includes(instruction.routine) ? (later[instruction.routine] ??= []) : waits;
    list.push(SHORT[instruction.flavour]);
  };
  if (apply(k, last(actions), KERNEL_PROGRAM, { step }).errno !== errno) return 'not here';
  apply(k, { do: 'settle' }, KERNEL_PROGRAM, { step });
  const background = Object.entries(later).map(([name, list]) => `${name}: ${list.join(' ')}`);
  return [waits.join(' ') || '–', ...background.sort()].join('; ');
}

/** One line for each kernel. */
export function waitTable(...actions: readonly Action[]): string {
  return tableOf(actions, 0);
}

/** The same for an operation that every kernel refuses with this errno. */
export function waitTableOfRefused(errno: Errno, ...actions: readonly Action[]): string {
  return tableOf(actions, errno);
}

function tableOf(actions: readonly Action[], errno: Ended): string {
  return KERNELS.map((profile) => `${profile.padEnd(4)} ${waitsOf(profile, actions, errno)}`).join('\n');
}
