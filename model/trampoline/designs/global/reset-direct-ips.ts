import type { Errno } from '../../../core/errno.ts';
import type { CodeName, Ip, OpsId } from '../../../core/ids.ts';
import { routine } from '../../../core/routine.ts';
import { notDirect, notEnabled } from '../../../ftrace/direct.ts';
import type { Replaced } from '../../../ftrace/direct-table.ts';
import { publishDirectFunctions, registerFtraceDirectCb } from '../../../ftrace/direct-table.ts';
import { filterOf, hashHas } from '../../../ftrace/ops.ts';
import { ftraceSetFilterIps } from '../../../ftrace/set-filter.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import { counted } from '../count.ts';

/**
 * The ops, its new functions, and the address of its direct calls. `ips` is the whole filter, not the
 * difference.
 */
interface ResetArgs {
  ops: OpsId;
  ips: readonly Ip[];
  addr: CodeName;
}

/** A reset between its steps: the functions before, and the errno of the filter. */
interface ResetLocals extends ResetArgs, Replaced {
  added: readonly string[];
  before: readonly string[];
  errno: Errno | 0;
}

/**
 * reset_ftrace_direct_ips(), kernel/trace/ftrace.c of the series: a registered direct ops gets another filter,
 * with one change of text.
 *
 * ```text
 *   new functions       enter direct_functions, in a new table     before the text changes
 *   all of the filter   ftrace_set_filter_ips()                    the text changes
 *   removed functions   leave direct_functions, one by one         afterwards
 * ```
 *
 * The new entries stay if the filter cannot be set: their functions then have a direct call that no ops makes.
 */
export const resetFtraceDirectIps = routine<BpfWorld, ResetArgs, ResetLocals>(
  'reset_ftrace_direct_ips',
  ({ refuse, refuseWith, holding, allocate, step, call, when, reclaim }) => [
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    holding('direct_mutex', [
      allocate('a hash for new functions'),
      refuse('ENOENT', 'a function is no call site', (k, { ips }) =>
        ips.some((ip) => k.ftrace.records[ip] === undefined),
      ),
      step('find the new functions', (k, locals) => {
        locals.before = filterOf(k, locals.ops);
        locals.added = locals.ips.filter((ip) => !hashHas(locals.before, ip));
      }),
      refuse('EBUSY', 'a new function has a direct call', (k, { added }) =>
        added.some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      step('publish direct_functions', (k, locals) => {
        const added = Object.fromEntries(locals.added.map((ip) => [ip, locals.addr]));
        locals.replaced = publishDirectFunctions(k, { ...k.ftrace.directFunctions, ...added });
      }),
      reclaim('free the old direct_functions', registerFtraceDirectCb, (_, { replaced }) => replaced),
      call(
        ftraceSetFilterIps,
        (_, { ops, ips }) => ({ ops, ips, remove: false, reset: true }),
        (_, locals, errno) => {
          locals.errno = errno;
        },
      ),
      when('functions have left the filter', hasLeft, [step('remove their direct calls', removeLeft)]),
      refuseWith(
        ['ENODEV', 'ENOMEM', 'EINVAL', 'EBUSY', 'EAGAIN'],
        'the filter cannot be set',
        (_, { errno }) => (errno === 0 ? undefined : errno),
      ),
    ]),
  ],
);

/** Functions that are no longer in the filter. */
function leftBy(k: BpfView, { ops, before }: ResetLocals): string[] {
  const filter = filterOf(k, ops);
  return before.filter((ip) => !hashHas(filter, ip));
}

function hasLeft(k: BpfView, locals: ResetLocals): boolean {
  return leftBy(k, locals).length > 0;
}

/**
 * remove_direct_functions_hash(): one entry after the other, in the table that is current. The address is
 * compared: an entry that another ops has made since survives.
 */
function removeLeft(k: BpfWorld, locals: ResetLocals): void {
  const { directFunctions } = k.ftrace;
  for (const ip of leftBy(k, locals)) if (directFunctions[ip] === locals.addr) delete directFunctions[ip];
}

/** The table is copied whole for each change; what is looked up in which hash, and what is entered. */
export const RESET_COUNTS = [
  counted<ResetLocals>('reset_ftrace_direct_ips', 'find the new functions', (_, { ips }) => ({
    hashLookups: ips.length,
  })),
  counted<ResetLocals>('reset_ftrace_direct_ips', 'publish direct_functions', (k, { added }) => ({
    hashLookups: added.length,
    entriesCopied: Object.keys(k.ftrace.directFunctions).length + added.length,
  })),
  counted<ResetLocals>('reset_ftrace_direct_ips', 'remove their direct calls', (_, { before }) => ({
    hashLookups: before.length,
  })),
];
