import { Oops } from '../../core/oops.ts';
import type { CFunctions } from '../../text/cpu.ts';
import type { ProbeWorld } from '../probes.ts';
import { LIST_END } from '../world.ts';
import { ftraceReturnToHandler } from './graph-return.ts';
import { HANDLERS, tellClient } from './handlers.ts';
import { handlingOf } from './handling.ts';
import { archFtraceOpsListFunc, ftraceOpsAssistFunc } from './list.ts';
import { detouredOf, optimizedCallback } from './optimized-callback.ts';
import { hitOf } from './regs.ts';
import { archRethookTrampolineCallback } from './rethook-return.ts';

/*
 * The functions in C that ftrace's entry code calls. Those with several shared accesses are routines, in the
 * middle of which a task can be preempted or race with an operation; the others are one step.
 */

/** By name, as the entry code calls them. `panic` is where a return without a known address ends. */
export const FTRACE_FUNCTIONS: CFunctions<ProbeWorld> = {
  ...Object.fromEntries(
    Object.values(HANDLERS).map(({ name }) => [name, { routine: name, give: handlingOf }]),
  ),
  ftrace_stub: { atOnce: () => {} },
  ftrace_callback: { atOnce: (k, cpu) => tellClient(k, handlingOf(k, cpu)) },
  arch_ftrace_ops_list_func: {
    routine: archFtraceOpsListFunc.name,
    give: (k, cpu) => ({ cpu, hit: hitOf(k, cpu), ops: LIST_END }),
  },
  ftrace_ops_assist_func: { routine: ftraceOpsAssistFunc.name, give: handlingOf },
  ftrace_return_to_handler: { routine: ftraceReturnToHandler.name, give: (_, cpu) => ({ cpu }) },
  arch_rethook_trampoline_callback: {
    routine: archRethookTrampolineCallback.name,
    give: (_, cpu) => ({ cpu }),
  },
  optimized_callback: { routine: optimizedCallback.name, give: detouredOf },
  panic: {
    atOnce: () => {
      throw new Oops({ is: 'lost return' });
    },
  },
};
