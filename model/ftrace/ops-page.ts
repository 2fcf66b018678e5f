import type { OpsId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import { entry } from '../core/present.ts';
import { fails } from '../core/world.ts';
import { addressOf } from '../text/space.ts';
import { allocatePage, freePage } from '../text/text.ts';
import { opsTrampoline } from './entry/ops-trampoline.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_ALLOC_TRAMP,
  FTRACE_OPS_FL_SAVE_REGS,
  ftraceOpsGetFunc,
  opsPointer,
} from './ops.ts';
import type { FtraceWorld } from './world.ts';

/**
 * arch_ftrace_update_trampoline(), from __register_ftrace_function(): an ops without a trampoline gets a copy of
 * the entry code that calls its handler (create_trampoline()). Without memory for it the ops is traced through
 * the shared entry code.
 */
export function updateTrampoline(k: FtraceWorld, name: OpsId): void {
  const ops = ensureOps(k, name);
  if (ops.trampoline !== '') return;
  if (ops.func === '') throw new Oops({ is: 'ops without func', ops: name });
  const page = `${name}.trampoline`;
  if (fails(k, 'allocation', 'arch_ftrace_update_trampoline')) return;
  allocatePage(k, page, '');
  const regs = (ops.flags & FTRACE_OPS_FL_SAVE_REGS) !== 0;
  entry(k.text.pages, page).bytes = opsTrampoline(
    regs,
    addressOf(k, page),
    addressOf(k, ftraceOpsGetFunc(ops)),
    opsPointer(k, name),
  );
  ops.trampoline = page;
  ops.flags |= FTRACE_OPS_FL_ALLOC_TRAMP;
}

/**
 * ftrace_trampoline_free(): only what was allocated for the ops. The caller has waited for tasks in it, or
 * believes that there can be none.
 */
export function freeTrampoline(k: FtraceWorld, name: OpsId): void {
  const ops = ensureOps(k, name);
  if ((ops.flags & FTRACE_OPS_FL_ALLOC_TRAMP) === 0 || ops.trampoline === '') return;
  freePage(k, ops.trampoline);
  ops.trampoline = '';
  ops.flags &= ~FTRACE_OPS_FL_ALLOC_TRAMP;
}
