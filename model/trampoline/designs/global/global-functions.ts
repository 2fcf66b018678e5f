import { readOfFreed } from '../../../core/oops.ts';
import { routine } from '../../../core/routine.ts';
import type { CFunctions, Cpu } from '../../../text/cpu.ts';
import { RDI } from '../../../x86/register.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import type { KfuncMd } from './kfunc-md.ts';
import { dataOf } from './kfunc-md.ts';
import { mdNumber } from './kfunc-md-memory.ts';

/*
 * Functions in C that the machine code of the global trampoline calls: the read-side section around the lookup,
 * and the reference counter of metadata. What lies between two of them can be interrupted by any operation.
 */

/** A helper of the caller, on a CPU. */
interface OnCpu {
  readonly cpu: Cpu;
}

/** The section covers only the lookup, not the use of what it found. */
const rcuReadLock = routine<BpfWorld, OnCpu>('__rcu_read_lock', ({ step }) => [
  step('rcu_read_lock', ({ current }) => {
    current.rcu++;
  }),
]);

/** A task may be preempted between the end of the section and the next instruction of its caller. */
const rcuReadUnlock = routine<BpfWorld, OnCpu>('__rcu_read_unlock', ({ step }) => [
  step('rcu_read_unlock', ({ current }) => {
    current.rcu--;
  }),
  step('return to the caller', () => {}),
]);

export const GLOBAL_ROUTINES = [rcuReadLock, rcuReadUnlock];

/** Metadata by the pointer in `rdi`: a crash if it was freed. */
function mdInMemory(k: BpfWorld, cpu: Cpu, who: string): KfuncMd {
  const md = dataOf(k).mds[mdNumber(cpu.register(RDI))];
  if (md === undefined) throw readOfFreed({ is: 'metadata', fn: undefined }, who);
  return md;
}

/**
 * Functions that the C part of the code calls beside programs: kfunc_md_enter() and kfunc_md_exit() are
 * percpu_ref_get() and percpu_ref_put().
 */
export const GLOBAL_FUNCTIONS: CFunctions<BpfWorld> = {
  ...Object.fromEntries(
    GLOBAL_ROUTINES.map(({ name }) => [name, { routine: name, give: (_: BpfView, cpu: Cpu) => ({ cpu }) }]),
  ),
  kfunc_md_enter: {
    atOnce: (k, cpu) => {
      mdInMemory(k, cpu, 'kfunc_md_enter').refs++;
    },
  },
  kfunc_md_exit: {
    atOnce: (k, cpu) => {
      mdInMemory(k, cpu, 'kfunc_md_exit').refs--;
    },
  },
};
