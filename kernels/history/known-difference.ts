import type { Action } from '../../model/client/all.ts';
import { FTRACE_OPS_FL_IPMODIFY, filterOf, opsOf } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isLoaded } from '../../model/text/module.ts';

/*
 * Calls that a kernel answers in another way than the model, each with what was seen; most are crashes. They are left out
 * of histories: every run would find them first. `docs/scope.md` lists them as known differences.
 */

/** Why a call is such a one. */
export function knownDifference(k: KernelView, action: Action): string | undefined {
  // 6.12.117: NULL in register_ftrace_function(), after ftrace_free_filter(). 6.1.192: in unregister_ftrace_function().
  if (action.do === 'register_ftrace_function' || action.do === 'unregister_ftrace_function')
    return isPatchWithoutFilter(k, action.ops)
      ? 'known crash: an IPMODIFY ops that has no filter hash'
      : undefined;
  // 6.1.192: NULL in rethook_free(), which unregister_kretprobes() calls whether the kprobe was there or not.
  if (action.do === 'unregister_kretprobe')
    return k.probes.kretprobes[action.kretprobe] === undefined
      ? 'known crash: unregister_kretprobe() of one that is not registered'
      : undefined;
  // 6.12.117: ENOENT of _kprobe_addr(), since kallsyms knows nothing there. The model: EINVAL.
  if (action.do === 'register_kprobe' || action.do === 'register_kretprobe')
    return isLoaded(k, action.ip) ? undefined : 'known errno: a kprobe in a module that is gone';
  // 6.12.117: ENOENT, since kallsyms has no address for it; the recorder still holds the BTF of the module.
  if (action.do === 'BPF_PROG_LOAD')
    return isLoaded(k, action.target) ? undefined : 'known errno: a program for a module that is gone';
  return undefined;
}

function isPatchWithoutFilter(k: KernelView, ops: string): boolean {
  return (opsOf(k, ops).flags & FTRACE_OPS_FL_IPMODIFY) !== 0 && filterOf(k, ops).length === 0;
}
