import type { Action } from '../../model/client/all.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import type { FunctionName, Ip, OpsId } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import type { DoneInLab, Lab } from './lab.ts';
import { OK, TRAMPS } from './lab.ts';

/** Flags of the recorder's ftrace ops: plain, with registers, and the one that redirects to the replacement. */
const FLAGS = [0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY] as const;

/** The trampoline that `dunreg` names if it is to be the ops's own. */
export const ITS_OWN = 9;

export function directOps(fn: FunctionName, slot: number): string {
  return `dops ${fn} ${slot}`;
}

export function ftraceOps(fn: FunctionName, kind: number): string {
  return `fops ${fn} ${kind}`;
}

/** ftrace_free_filter(), and zeroed memory. */
function zero(lab: Lab, ops: OpsId, direct: boolean): void {
  lab.do({ do: 'ftrace_free_filter', ops });
  clear(lab, ops, direct);
}

function clear(lab: Lab, ops: OpsId, direct: boolean): void {
  lab.do({ do: 'ftrace_ops', ops, flags: 0, direct });
}

/** `dreg fn s t`: an ops that is already registered keeps its filter. */
export function dreg(lab: Lab, fn: FunctionName, slot: number, tramp: number): DoneInLab {
  const ops = directOps(fn, slot);
  const addr = item(TRAMPS, tramp);
  const registered = lab.on.has(ops);
  const register: Action = { do: 'register_ftrace_direct', ops, addr };
  const errno = registered ? lab.all(register) : lab.all(filterOn(ops, fn), register);
  if (errno === 0) {
    lab.on.add(ops);
    lab.trampOf.set(ops, addr);
  } else if (!registered) zero(lab, ops, true);
  return { errno };
}

/** `dmod fn s t`. */
export function dmod(lab: Lab, fn: FunctionName, slot: number, tramp: number): DoneInLab {
  const ops = directOps(fn, slot);
  const addr = item(TRAMPS, tramp);
  const errno = lab.all({ do: 'modify_ftrace_direct', ops, addr });
  if (errno === 0) lab.trampOf.set(ops, addr);
  return { errno };
}

/** `dunreg fn s t`. The older interface reads the filter of an ops before anything else, so the ops gets one. */
export function dunreg(lab: Lab, fn: FunctionName, slot: number, tramp: number): DoneInLab {
  const ops = directOps(fn, slot);
  const addr =
    tramp === ITS_OWN ? (lab.trampOf.get(ops) ?? item(TRAMPS, 0)) : item(TRAMPS, tramp % TRAMPS.length);
  const registered = lab.on.has(ops);
  const unregister: Action = { do: 'unregister_ftrace_direct', ops, addr, freeFilters: !lab.isOld };
  const errno = lab.isOld && !registered ? lab.all(filterOn(ops, fn), unregister) : lab.all(unregister);
  if (lab.isOld && (errno === 0 || !registered)) zero(lab, ops, true);
  else if (errno === 0) clear(lab, ops, true);
  if (errno === 0) lab.on.delete(ops);
  return { errno };
}

const NO_SUCH_INTERFACE: DoneInLab = { errno: 'EOPNOTSUPP' };

/** `oreg fn 0 t`. */
export function oreg(lab: Lab, ip: Ip, _: number, tramp: number): DoneInLab {
  const addr = item(TRAMPS, tramp);
  if (!lab.isOld) return NO_SUCH_INTERFACE;
  const errno = lab.all({ do: 'register_ftrace_direct(ip)', ip, addr });
  if (errno === 0) lab.perIp.set(ip, addr);
  return { errno };
}

/** `omod fn old new`. */
export function omod(lab: Lab, ip: Ip, old: number, tramp: number): DoneInLab {
  const newAddr = item(TRAMPS, tramp);
  if (!lab.isOld) return NO_SUCH_INTERFACE;
  const errno = lab.all({ do: 'modify_ftrace_direct(ip)', ip, oldAddr: item(TRAMPS, old), newAddr });
  if (errno === 0) lab.perIp.set(ip, newAddr);
  return { errno };
}

/** `ounreg fn 0 t`. */
export function ounreg(lab: Lab, ip: Ip, _: number, tramp: number): DoneInLab {
  if (!lab.isOld) return NO_SUCH_INTERFACE;
  const errno = lab.all({ do: 'unregister_ftrace_direct(ip)', ip, addr: item(TRAMPS, tramp) });
  if (errno === 0) lab.perIp.delete(ip);
  return { errno };
}

/** `freg fn k`. */
export function freg(lab: Lab, fn: FunctionName, kind: number): DoneInLab {
  const ops = ftraceOps(fn, kind);
  const registered = lab.on.has(ops);
  if (!registered) {
    const create: Action = { do: 'ftrace_ops', ops, flags: item(FLAGS, kind), direct: false };
    const errno = lab.all(create, filterOn(ops, fn));
    if (errno !== 0) return { errno };
  }
  const errno = lab.all({ do: 'register_ftrace_function', ops });
  if (errno === 0) lab.on.add(ops);
  else if (!registered) zero(lab, ops, false);
  return { errno };
}

/** `funreg fn k`. */
export function funreg(lab: Lab, fn: FunctionName, kind: number): DoneInLab {
  const ops = ftraceOps(fn, kind);
  const errno = lab.all({ do: 'unregister_ftrace_function', ops });
  if (errno !== 0) return { errno };
  lab.on.delete(ops);
  zero(lab, ops, false);
  return OK;
}
