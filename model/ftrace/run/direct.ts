import type { Ip } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import { addressOf } from '../../text/space.ts';
import { plus } from '../../x86/word.ts';
import { loadDirectFunctions, lookupDirect } from '../direct-table.ts';
import { PT_REGS } from '../entry/frame.ts';
import { ftraceIsJmp, ftraceJmpGet } from '../jmp.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import type { Handling } from './handling.ts';
import { opsInMemory } from './in-memory.ts';
import { writeReg } from './regs.ts';

/** The lookup of call_direct_funcs() between its two steps. */
interface Direct extends Handling {
  /** The `direct_functions` that were loaded (`directLookup: table`). */
  table: number;
  /** The address of the direct call; empty: none. */
  address: string;
}

/**
 * call_direct_funcs(): the func of a direct ops. It leaves the address in `orig_ax` of the frame, where
 * ftrace_regs_caller finds it (arch_ftrace_set_direct_caller()). 6.1 and 7.2 look it up by call site; 6.12 reads
 * `ops->direct_call`. Without an entry the call continues as if there were no direct call.
 */
export const callDirectFuncs = routine<ProbeWorld, Handling, Direct>('call_direct_funcs', (words) => {
  const { step, when } = words;
  return [
    when(
      'the address is in a table',
      (k) => profileNamed(k.profile).directLookup === 'table',
      findRecDirect(words),
      [
        step('read ops->direct_call', (k, locals) => {
          locals.address = opsInMemory(k, locals.ops, 'call_direct_funcs').directCall;
        }),
      ],
    ),
    // orig_ax of the frame; zero leaves the call without a direct call.
    step('arch_ftrace_set_direct_caller', setDirectCaller),
  ];
});

/**
 * ftrace_find_rec_direct(): load the pointer, then look into the bucket; 6.12 and later do both without
 * preemption.
 */
function findRecDirect(words: RoutineWords<ProbeWorld, Direct>): Part[] {
  const { step, when } = words;
  const lookUp = [
    step('load direct_functions', (k: ProbeView, locals: Direct) => {
      locals.table = loadDirectFunctions(k);
    }),
    // The table may have been replaced since its pointer was loaded: the old one is still memory.
    step('look the site up', (k: ProbeView, locals: Direct) => {
      locals.address = lookupDirect(k, locals.table, locals.hit.ip);
    }),
  ];
  return [
    when(
      'preemption is forbidden meanwhile',
      (k) => profileNamed(k.profile).directLookupGuarded,
      withoutPreemption(words, lookUp),
      lookUp,
    ),
  ];
}

/** Whether a site has a direct call now, in one step. */
export function hasDirect(k: ProbeView, ip: Ip): boolean {
  return lookupDirect(k, loadDirectFunctions(k), ip) !== '';
}

/** An address with its lowest bit set is jumped to (ftrace_jmp_set()); otherwise ftrace_regs_caller calls it. */
function setDirectCaller(k: ProbeView, locals: Direct): void {
  const { address } = locals;
  if (address === '') return;
  const target = addressOf(k, ftraceJmpGet(address));
  writeReg(locals, PT_REGS.ORIG_RAX, ftraceIsJmp(address) ? plus(target, 1) : target);
}
