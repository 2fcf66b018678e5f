import { Oops } from '../../core/oops.ts';
import type { CFunctions } from '../../text/cpu.ts';
import type { ProbeWorld } from '../probes.ts';
import { LIST_END } from '../world.ts';
import { ftraceReturnToHandler } from './graph-return.ts';
import { HANDLERS, tellClient } from './handlers.ts';
import { handlingOf } from './handling.ts';
import { archFtraceOpsListFunc, ftraceOpsAssistFunc } from './list.ts';
import { hitOf } from './regs.ts';
import { archRethookTrampolineCallback } from './rethook-return.ts';

/** ftrace's functions in C, by name. */
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
  panic: {
    atOnce: () => {
      throw new Oops({ is: 'lost return' });
    },
  },
};
