import { fixedKeys, fixedValues } from '../core/fixed-keys.ts';
import type { Ip, OpsId } from '../core/ids.ts';
import { entry, item } from '../core/present.ts';
import { warn } from '../core/world.ts';
import { hasOnList, opsOnList } from './filter-hash.ts';
import type { FtraceOps } from './ops.ts';
import {
  FTRACE_OPS_FL_ADDING,
  FTRACE_OPS_FL_DIRECT,
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_MODIFYING,
  FTRACE_OPS_FL_SAVE_REGS,
  filterOf,
  hashContainsIp,
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

/*
 * What a record (`struct dyn_ftrace`) counts, and which address follows from it. `ftrace_lock` is held
 * throughout.
 *
 * ```text
 *   ops that trace the function   flags wanted             ftrace_get_addr_new()
 *   --------------------------    ---------------------    --------------------------------------
 *   none                          –                        (nop)
 *   one, direct                   DIRECT                   its entry in direct_functions
 *   one, with a trampoline        TRAMP                    ops->trampoline
 *   one without, or several       REGS if any saves them   ftrace_regs_caller, else ftrace_caller
 * ```
 *
 * Each flag has an `_EN` partner that says what the site holds; ftrace_check_record() copies one to the other
 * while the text is patched. Between the two, ftrace_get_addr_curr() still has to find the old address, which is
 * why removed and modified ops keep their old hashes.
 */

/**
 * __ftrace_hash_rec_update(): counts an ops in the records of its functions, or takes it out of them. Nothing is
 * patched here; the answer is whether anything has to be. A counter that overflows kills ftrace half-way: the
 * records before it keep their new counts.
 */
export function ftraceHashRecUpdate(k: FtraceWorld, name: OpsId, inc: boolean): boolean {
  const ops = opsOf(k, name);
  if ((ops.flags & FTRACE_OPS_FL_ENABLED) === 0) return false;
  let update = false;
  const filter = filterOf(k, name);
  const notrace = notraceOf(k, name);
  const ips = fixedKeys(k.ftrace.records);
  const records = fixedValues(k.ftrace.records);
  for (let i = 0; i < ips.length; i++) {
    const [ip, rec] = [item(ips, i), item(records, i)];
    if (skipRecord(rec) || !hashContainsIp(filter, notrace, ip)) continue;
    if (inc ? overflows(k, rec) : underflows(k, rec)) return false;
    if (inc) account(rec, ops);
    else unaccount(k, ip, rec, name);
    if (ftraceTestRecord(rec, true) !== 'FTRACE_UPDATE_IGNORE') update = true;
  }
  return update;
}

/** The count shares a word with the flags: one more would spill into them (`FTRACE_REF_MAX`). */
function overflows(k: FtraceWorld, rec: DynFtrace): boolean {
  return ftraceWarnOn(k, rec.count + 1 === FTRACE_REF_MAX, { is: 'too many references' });
}

/** The record already counts no ops: ftrace no longer knows which ops trace the function. */
function underflows(k: FtraceWorld, rec: DynFtrace): boolean {
  return ftraceWarnOn(k, rec.count === 0, { is: 'no reference to lose' });
}

/**
 * The first ops of a site can have its trampoline called there; a second one makes the site call the shared entry
 * code.
 */
function account(rec: DynFtrace, ops: FtraceOps): void {
  rec.count++;
  if ((ops.flags & FTRACE_OPS_FL_DIRECT) !== 0) rec.flags |= FTRACE_FL_DIRECT;
  if (rec.count === 1 && ops.trampoline !== '') rec.flags |= FTRACE_FL_TRAMP;
  else rec.flags &= ~FTRACE_FL_TRAMP;
  if ((ops.flags & FTRACE_OPS_FL_SAVE_REGS) !== 0) rec.flags |= FTRACE_FL_REGS;
}

/**
 * DIRECT goes with any direct ops, even if another one still has the site. Flags that remain at count 0 are
 * cleared when the site is patched (ftrace_check_record()).
 */
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

/**
 * test_rec_ops_needs_regs(): walks the whole list, the ops that is being removed from its hash included: that ops
 * still matches, so REGS stays set although no ops needs it.
 */
function testRecOpsNeedsRegs(k: FtraceView, ip: Ip): boolean {
  return k.ftrace.opsList.some(
    (name) => hasOnList(k, name, ip) && (opsOnList(k, name).flags & FTRACE_OPS_FL_SAVE_REGS) !== 0,
  );
}

/** ftrace_find_tramp_ops_any_other(): which ops remains is not stored, so the list is searched. */
function findTrampOpsAnyOther(k: FtraceView, ip: Ip, removed: OpsId): boolean {
  return k.ftrace.opsList.some(
    (name) => name !== removed && opsOnList(k, name).trampoline !== '' && hasOnList(k, name, ip),
  );
}

/**
 * ftrace_get_addr_new(): the address that the site should call. A jump is written `jmp <symbol>`. Here and below
 * `direct_functions` is read in one step although another client may replace it: the old table is freed after an
 * RCU-tasks grace period, and a task in such a lookup does not pass one. Entries on the way are another matter
 * (`passedEntries()`). A direct record without an entry only warns, and the site gets the shared entry code.
 */
export function ftraceGetAddrNew(k: FtraceWorld, ip: Ip, rec = entry(k.ftrace.records, ip)): string {
  if (has(rec, FTRACE_FL_DIRECT) && rec.count === 1) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined) return direct;
    warn(k, { is: 'direct record not in table', inEffect: false });
  }
  if (has(rec, FTRACE_FL_TRAMP)) {
    const name = k.ftrace.opsList.find((ops) => hasOnList(k, ops, ip));
    const trampoline = name === undefined ? '' : opsOnList(k, name).trampoline;
    if (ftraceWarnOn(k, trampoline === '', { is: 'no trampoline of the record', inEffect: false }))
      return 'ftrace_caller';
    return trampoline;
  }
  return has(rec, FTRACE_FL_REGS) ? 'ftrace_regs_caller' : 'ftrace_caller';
}

/**
 * ftrace_get_addr_curr(): the address that the site should hold now, by the `_EN` flags. ftrace_verify_code()
 * compares it with the text, so a wrong answer here is what kills ftrace.
 */
export function ftraceGetAddrCurr(k: FtraceWorld, ip: Ip, rec = entry(k.ftrace.records, ip)): string {
  if (has(rec, FTRACE_FL_DIRECT_EN)) {
    const direct = k.ftrace.directFunctions[ip];
    if (direct !== undefined) return direct;
    warn(k, { is: 'direct record not in table', inEffect: true });
  }
  if (has(rec, FTRACE_FL_TRAMP_EN)) {
    const name = findTrampOpsCurr(k, ip);
    if (name !== undefined) return opsOnList(k, name).trampoline;
    ftraceWarnOn(k, true, { is: 'no trampoline of the record', inEffect: true });
    return 'ftrace_caller';
  }
  return has(rec, FTRACE_FL_REGS_EN) ? 'ftrace_regs_caller' : 'ftrace_caller';
}

/**
 * ftrace_find_tramp_ops_curr(): the ops whose trampoline the site calls. `removed_ops` comes first, as it is off
 * the list already; an ops that is ADDING cannot be it; one that is MODIFYING matches by its old hashes.
 */
function findTrampOpsCurr(k: FtraceView, ip: Ip): string | undefined {
  const { removedOps, opsList } = k.ftrace;
  if (removedOps !== '' && matchesOld(k, removedOps, ip)) return removedOps;
  for (const name of opsList) {
    const { trampoline, flags } = opsOnList(k, name);
    if (trampoline === '' || (flags & FTRACE_OPS_FL_ADDING) !== 0) continue;
    if ((flags & FTRACE_OPS_FL_MODIFYING) !== 0 ? matchesOld(k, name, ip) : hasOnList(k, name, ip))
      return name;
  }
  return undefined;
}

/** `ops->old_hash`; the kernel keeps pointers to the hashes, which are not freed before the text is patched. */
function matchesOld(k: FtraceView, name: OpsId, ip: Ip): boolean {
  const { oldFilter, oldNotrace } = opsOf(k, name);
  return hashContainsIp(oldFilter ?? [], oldNotrace ?? [], ip);
}
