import { unreachable } from '../core/unreachable.ts';

/** Flags of `struct dyn_ftrace` (include/linux/ftrace.h): what is wanted, and with `_EN` what is in effect. */
export const FTRACE_FL_ENABLED = 1 << 0;
export const FTRACE_FL_REGS = 1 << 1;
export const FTRACE_FL_REGS_EN = 1 << 2;
export const FTRACE_FL_TRAMP = 1 << 3;
export const FTRACE_FL_TRAMP_EN = 1 << 4;
export const FTRACE_FL_IPMODIFY = 1 << 5;
export const FTRACE_FL_DISABLED = 1 << 6;
export const FTRACE_FL_DIRECT = 1 << 7;
export const FTRACE_FL_DIRECT_EN = 1 << 8;

/**
 * `struct dyn_ftrace`: ftrace's bookkeeping for one call site. The kernel keeps the count in the low bits of the
 * flags. Written under `ftrace_lock`; nothing reads it while a call is traced.
 */
export interface DynFtrace {
  /** Enabled ops that trace the function. */
  count: number;
  flags: number;
}

/** One more than the reference counter holds (`FTRACE_REF_MAX`). */
export const FTRACE_REF_MAX = (1 << 19) - 1;

/** What ftrace_replace_code() has to do to a site. */
export type RecordUpdate =
  | 'FTRACE_UPDATE_IGNORE'
  | 'FTRACE_UPDATE_MAKE_CALL'
  | 'FTRACE_UPDATE_MODIFY_CALL'
  | 'FTRACE_UPDATE_MAKE_NOP';

const NAMES: readonly (readonly [number, string])[] = [
  [FTRACE_FL_ENABLED, 'ENABLED'],
  [FTRACE_FL_REGS, 'REGS'],
  [FTRACE_FL_REGS_EN, 'REGS_EN'],
  [FTRACE_FL_TRAMP, 'TRAMP'],
  [FTRACE_FL_TRAMP_EN, 'TRAMP_EN'],
  [FTRACE_FL_IPMODIFY, 'IPMODIFY'],
  [FTRACE_FL_DISABLED, 'DISABLED'],
  [FTRACE_FL_DIRECT, 'DIRECT'],
  [FTRACE_FL_DIRECT_EN, 'DIRECT_EN'],
];

/** `count 1, ENABLED | DIRECT | DIRECT_EN`. */
export function printRecord({ count, flags }: DynFtrace): string {
  const set = printRecordFlags(flags);
  return `count ${count}${set === '' ? '' : `, ${set}`}`;
}

/** `ENABLED | DIRECT`. */
export function printRecordFlags(flags: number): string {
  return NAMES.filter(([bit]) => (flags & bit) !== 0)
    .map(([, name]) => name)
    .join(' | ');
}

/** skip_record(): a DISABLED record must not be touched, unless its site is still patched. */
export function skipRecord({ flags }: DynFtrace): boolean {
  return (flags & FTRACE_FL_DISABLED) !== 0 && (flags & FTRACE_FL_ENABLED) === 0;
}

/**
 * ftrace_test_record(): ftrace_check_record() without the update. What has to be done so that the site holds what
 * is wanted. A direct call is wanted only while its ops is alone on the site: with a second one the DIRECT flag
 * stays, and `DIRECT_EN` is cleared.
 */
export function ftraceTestRecord(rec: DynFtrace, enable: boolean): RecordUpdate {
  if (skipRecord(rec)) return 'FTRACE_UPDATE_IGNORE';
  const enabled = (rec.flags & FTRACE_FL_ENABLED) !== 0;
  if (!enable || rec.count === 0) return enabled ? 'FTRACE_UPDATE_MAKE_NOP' : 'FTRACE_UPDATE_IGNORE';
  if (!enabled) return 'FTRACE_UPDATE_MAKE_CALL';
  const differs =
    has(rec, FTRACE_FL_REGS) !== has(rec, FTRACE_FL_REGS_EN) ||
    has(rec, FTRACE_FL_TRAMP) !== has(rec, FTRACE_FL_TRAMP_EN) ||
    wantsDirect(rec) !== has(rec, FTRACE_FL_DIRECT_EN);
  return differs ? 'FTRACE_UPDATE_MODIFY_CALL' : 'FTRACE_UPDATE_IGNORE';
}

/**
 * ftrace_update_record(): the same decision, and afterwards the `_EN` flags say what is in effect. At count 0
 * only DISABLED survives. When `kernel.ftrace_enabled` goes to 0 the count stays, and the wanted flags with it.
 */
export function ftraceUpdateRecord(rec: DynFtrace, enable: boolean): RecordUpdate {
  const update = ftraceTestRecord(rec, enable);
  switch (update) {
    case 'FTRACE_UPDATE_IGNORE':
      break;
    case 'FTRACE_UPDATE_MAKE_NOP':
      if (rec.count === 0) rec.flags &= FTRACE_FL_DISABLED;
      else rec.flags &= ~(FTRACE_FL_ENABLED | FTRACE_FL_TRAMP_EN | FTRACE_FL_REGS_EN | FTRACE_FL_DIRECT_EN);
      break;
    case 'FTRACE_UPDATE_MAKE_CALL':
    case 'FTRACE_UPDATE_MODIFY_CALL':
      rec.flags |= FTRACE_FL_ENABLED;
      put(rec, FTRACE_FL_REGS_EN, has(rec, FTRACE_FL_REGS));
      put(rec, FTRACE_FL_TRAMP_EN, has(rec, FTRACE_FL_TRAMP));
      put(rec, FTRACE_FL_DIRECT_EN, wantsDirect(rec));
      break;
    default:
      return unreachable(update);
  }
  return update;
}

export function has({ flags }: DynFtrace, bit: number): boolean {
  return (flags & bit) !== 0;
}

/** The condition of ftrace_get_addr_new() for a direct address. */
function wantsDirect(rec: DynFtrace): boolean {
  return rec.count === 1 && has(rec, FTRACE_FL_DIRECT);
}

function put(rec: DynFtrace, bit: number, on: boolean): void {
  rec.flags = on ? rec.flags | bit : rec.flags & ~bit;
}
