import type { Ip, OpsId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { warn } from '../core/world.ts';
import type { FtraceOps } from './ops.ts';
import {
  FTRACE_OPS_FL_ADDING,
  FTRACE_OPS_FL_DIRECT,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_MODIFYING,
  FTRACE_OPS_FL_SAVE_REGS,
  filterOf,
  hashContainsIp,
  matches,
  notraceOf,
  opsOf,
} from './ops.ts';
import type { DynFtrace } from './record.ts';
import {
  FTRACE_FL_DIRECT,
  FTRACE_FL_DIRECT_EN,
  FTRACE_FL_REGS,
  FTRACE_FL_REGS_EN,
  FTRACE_FL_TRAMP,
  FTRACE_FL_TRAMP_EN,
  FTRACE_REF_MAX,
  ftraceTestRecord,
  has,
  skipRecord,
} from './record.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { ftraceWarnOn } from './world.ts';

/**
 * __ftrace_hash_rec_update(): adds an ops to, or takes it from, the records of the functions that it traces. Nothing
 * is patched here; the answer is whether anything has to be.
 */
export function ftraceHashRecUpdate(k: FtraceWorld, name: OpsId, inc: boolean): boolean {
  const ops = opsOf(k, name);
  if ((ops.flags & FTRACE_OPS_FL_ENABLED) === 0) return false;
  let update = false;
  const filter = filterOf(k, name);
  const notrace = notraceOf(k, name);
  for (const ip of Object.keys(k.ftrace.records)) {
    const rec = entry(k.ftrace.records, ip);
    if (skipRecord(rec) || !hashContainsIp(filter, notrace, ip)) continue;
    if (inc ? overflows(k, rec) : underflows(k, rec)) return false;
    if (inc) account(rec, ops);
    else unaccount(k, ip, rec, name);
    if (ftraceTestRecord(rec, true) !== 'FTRACE_UPDATE_IGNORE') update = true;
  }
  return update;
}

function overflows(k: FtraceWorld, rec: DynFtrace): boolean {
  return ftraceWarnOn(k, rec.count + 1 === FTRACE_REF_MAX, { is: 'too many references' });
}

function underflows(k: FtraceWorld, rec: DynFtrace): boolean {
  return ftraceWarnOn(k, rec.count === 0, { is: 'no reference to lose' });
}

/** With its first ops a site can call that ops's trampoline; with a second one it cannot. */
function account(rec: DynFtrace, ops: FtraceOps): void {
  rec.count++;
  if ((ops.flags & FTRACE_OPS_FL_DIRECT) !== 0) rec.flags |= FTRACE_FL_DIRECT;
  if (rec.count === 1 && ops.trampoline !== '') rec.flags |= FTRACE_FL_TRAMP;
  else rec.flags &= ~FTRACE_FL_TRAMP;
  if ((ops.flags & FTRACE_OPS_FL_SAVE_REGS) !== 0) rec.flags |= FTRACE_FL_REGS;
}

/** What is left when the count gets to zero is cleared when the site is patched. */
function unaccount(k: FtraceView, ip: Ip, rec: DynFtrace, name: OpsId): void {
  const { flags } = opsOf(k, name);
  rec.count--;
  if ((flags & FTRACE_OPS_FL_DIRECT) !== 0) rec.flags &= ~FTRACE_FL_DIRECT;
  if (rec.count > 0 && has(rec, FTRACE_FL_REGS) && (flags & FTRACE_OPS_FL_SAVE_REGS) !== 0) {
    if (!testRecOpsNeedsRegs(k, ip)) rec.flags &= ~FTRACE_FL_REGS;
  }
  if (rec.count === 1 && findTrampOpsAnyOther(k, ip, name)) rec.flags |= FTRACE_FL_TRAMP;
  else rec.flags &= ~FTRACE_FL_TRAMP;
}

/** test_rec_ops_needs_regs(): does any ops on the list that traces the function save registers? */
function testRecOpsNeedsRegs(k: FtraceView, ip: Ip): boolean {
  return k.ftrace.opsList.some(
    (name) => matches(k, name, ip) && (opsOf(k, name).flags & FTRACE_OPS_FL_SAVE_REGS) !== 0,
  );
}

/** ftrace_find_tramp_ops_any_other(): an ops with a trampoline, but not the one that is being taken away. */
function findTrampOpsAnyOther(k: FtraceView, ip: Ip, removed: OpsId): boolean {
  return k.ftrace.opsList.some(
    (name) => name !== removed && opsOf(k, name).trampoline !== '' && matches(k, name, ip),
  );
}

/**
 * ftrace_get_addr_new(): what the site shall call, as the record wants it. A jump is `jmp <symbol>`. Here and below,
 * `direct_functions` is read in one moment although another client may be replacing it: the table of before is freed
 * after a grace period of RCU-tasks, which no task that looks into it lets pass. Entries on the way are another matter
 * (`passedEntries()`).
 */
export function ftraceGetAddrNew(k: FtraceWorld, ip: Ip): string {
  const rec = entry(k.ftrace.records, ip);
  if (has(rec, FTRACE_FL_DIRECT) && rec.count === 1) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined) return direct;
    warn(k, { is: 'direct record not in table', inEffect: false });
  }
  if (has(rec, FTRACE_FL_TRAMP)) {
    const name = k.ftrace.opsList.find((ops) => matches(k, ops, ip));
    const trampoline = name === undefined ? '' : opsOf(k, name).trampoline;
    if (ftraceWarnOn(k, trampoline === '', { is: 'no trampoline of the record', inEffect: false }))
      return 'ftrace_caller';
    return trampoline;
  }
  return has(rec, FTRACE_FL_REGS) ? 'ftrace_regs_caller' : 'ftrace_caller';
}

/** ftrace_get_addr_curr(): what the site should be calling now, as the record says what is in effect. */
export function ftraceGetAddrCurr(k: FtraceWorld, ip: Ip): string {
  const rec = entry(k.ftrace.records, ip);
  if (has(rec, FTRACE_FL_DIRECT_EN)) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined) return direct;
    warn(k, { is: 'direct record not in table', inEffect: true });
  }
  if (has(rec, FTRACE_FL_TRAMP_EN)) {
    const name = findTrampOpsCurr(k, ip);
    if (name !== undefined) return opsOf(k, name).trampoline;
    ftraceWarnOn(k, true, { is: 'no trampoline of the record', inEffect: true });
    return 'ftrace_caller';
  }
  return has(rec, FTRACE_FL_REGS_EN) ? 'ftrace_regs_caller' : 'ftrace_caller';
}

/**
 * ftrace_find_tramp_ops_curr(): whose trampoline the site calls. An ops that is being removed is asked first, one
 * that is being added cannot be it, and one that is being changed is asked for its old hashes.
 */
function findTrampOpsCurr(k: FtraceView, ip: Ip): string | undefined {
  const { removedOps, opsList } = k.ftrace;
  if (removedOps !== '' && matchesOld(k, removedOps, ip)) return removedOps;
  for (const name of opsList) {
    const { trampoline, flags } = opsOf(k, name);
    if (trampoline === '' || (flags & FTRACE_OPS_FL_ADDING) !== 0) continue;
    if ((flags & FTRACE_OPS_FL_MODIFYING) !== 0 ? matchesOld(k, name, ip) : matches(k, name, ip)) return name;
  }
  return undefined;
}

function matchesOld(k: FtraceView, name: OpsId, ip: Ip): boolean {
  const { oldFilter, oldNotrace } = opsOf(k, name);
  return hashContainsIp(oldFilter ?? [], oldNotrace ?? [], ip);
}
