import type { Errno } from '../core/errno.ts';
import type { CodeName, Ip } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import type { Part } from '../core/part.ts';
import { item } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import type { Unloads } from '../text/module.ts';
import { addressNow } from '../text/module.ts';
import type { Replaced } from './direct-table.ts';
import { freeGrown, makeRoom } from './direct-table.ts';
import { FTRACE_OPS_FL_ENABLED, filterOf, opsOf } from './ops.ts';
import { FTRACE_FL_DIRECT, has } from './record.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { ftraceSetFilterIp } from './set-filter.ts';
import { freeTable } from './tables.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * The first interface of direct calls (5.5 to 6.3): the kernel owns one ops, `direct_ops`, whose filter holds all
 * direct sites, and a descriptor (`struct ftrace_direct_func`) counts the sites of each trampoline.
 *
 * ```text
 *   direct_ops (filter: f1, f2, f3)     direct_functions         ftrace_direct_funcs
 *   registered with its first site      f1 -> tramp#1            tramp#1: 2 sites
 *   unregistered with its last          f2 -> tramp#1            tramp#2: 1 site
 *                                       f3 -> tramp#2
 * ```
 *
 * `direct_mutex` is held for the whole call, the grace period for a descriptor included.
 */

const DIRECT_OPS = 'direct_ops';

/** An address, and how often modules had been unloaded when the client named it: the call does not hold its module. */
export interface Site {
  ip: Ip;
  got?: Unloads | undefined;
}

/** A site and its trampoline; `ret` keeps the errno of the filter. */
interface SiteArgs extends Replaced, Site {
  addr: CodeName;
  ret?: Errno | 0;
}

/** What tables call the site by now. */
export function siteNow(k: FtraceView, { ip, got }: Site): Ip {
  return addressNow(k, ip, got);
}

/** ftrace_location(): the model knows a site by its function alone. */
export function notASite(k: FtraceView, site: Site): boolean {
  return k.ftrace.records[siteNow(k, site)] === undefined;
}

/**
 * register_ftrace_direct(ip, addr), kernel/trace/ftrace.c (6.3 and before). The table that a full one was
 * replaced by is freed after `direct_mutex` is released, on success and on failure.
 */
export const registerFtraceDirectIp = routine<FtraceWorld, SiteArgs>(
  'register_ftrace_direct(ip)',
  (words) => [words.attempt(registerLocked(words), [freeGrown(words)]), freeGrown(words)],
);

/**
 * The part under `direct_mutex`. The entry is published before the ops gets the site, because the patching of the
 * site looks it up. The count of the descriptor rises only at the end, so that a failure can free a descriptor
 * without sites.
 */
function registerLocked(words: RoutineWords<FtraceWorld, SiteArgs>): Part[] {
  const { holding, refuse, when, allocate, attempt, step } = words;
  return [
    holding('direct_mutex', [
      refuse('ENODEV', 'not a call site', notASite),
      refuse(
        'EBUSY',
        'the site has a direct call',
        (k, site) => k.ftrace.directFunctions[siteNow(k, site)] !== undefined,
      ),
      refuse('ENODEV', 'the record has gone since, or is direct without an entry', (k, site) => {
        const rec = k.ftrace.records[siteNow(k, site)];
        const stale = rec !== undefined && has(rec, FTRACE_FL_DIRECT);
        if (stale) warn(k, { is: 'direct site not in table', ip: site.ip });
        return rec === undefined || stale;
      }),
      addDescriptor(words),
      makeRoom(words),
      allocate('the entry'),
      step('publish the direct call', (k, locals) => {
        k.ftrace.directFunctions[siteNow(k, locals)] = locals.addr;
      }),
      attempt(joinDirectOps(words), [
        step('take the direct call back', (k, site) => {
          delete k.ftrace.directFunctions[siteNow(k, site)];
        }),
        when('the trampoline has no site', isUnused, [
          ...freeDescriptor(words),
          step('free the table with it', freeTableToo),
        ]),
      ]),
      step('count the site', (k, { addr }) => {
        item(k.ftrace.directFuncs, findDirectFunc(k, addr)).count++;
      }),
    ]),
  ];
}

function addDescriptor({ when, allocate, step }: RoutineWords<FtraceWorld, SiteArgs>): Part {
  return when('the trampoline has no descriptor', (k, { addr }) => findDirectFunc(k, addr) < 0, [
    allocate('the descriptor of the trampoline'),
    step('add the descriptor', (k, { addr }) => {
      k.ftrace.directFuncs.unshift({ addr, count: 0 });
    }),
  ]);
}

/** The grace period for the descriptor covers the readers of the old table as well: one wait for both. */
function freeTableToo(k: FtraceWorld, locals: SiteArgs): void {
  if (locals.replaced !== undefined) freeTable(k, locals.replaced);
  locals.grown = false;
}

/**
 * ftrace_set_filter_ip() on `direct_ops`, which is registered with its first site. From then on, setting the
 * filter patches the site of an enabled ops at once.
 */
function joinDirectOps({ call, step, when, attempt }: RoutineWords<FtraceWorld, SiteArgs>): Part[] {
  return [
    call(ftraceSetFilterIp, (k, site) => onDirectOps(k, site, false)),
    step('direct_ops has a hash', (k) => {
      k.ftrace.directOpsHasHash = true;
    }),
    when('direct_ops is not enabled', (k) => !directOpsEnabled(k), [
      attempt(
        [call(registerFtraceFunctionNolock, () => ({ ops: DIRECT_OPS }))],
        [
          call(
            ftraceSetFilterIp,
            (k, site) => onDirectOps(k, site, true),
            () => {},
          ),
        ],
      ),
    ]),
  ];
}

/** The arguments of ftrace_set_filter_ip(): the site joins `direct_ops`, or leaves it. */
function onDirectOps(k: FtraceView, site: Site, remove: boolean) {
  return { ops: DIRECT_OPS, ip: siteNow(k, site), remove, reset: false };
}

/** ftrace_find_direct_func(): the place of the newest descriptor of the address, -1 if it has none. */
export function findDirectFunc({ ftrace }: FtraceView, address: CodeName): number {
  return ftrace.directFuncs.findIndex(({ addr }) => addr === address);
}

function isUnused(k: FtraceView, { addr }: SiteArgs): boolean {
  return k.ftrace.directFuncs[findDirectFunc(k, addr)]?.count === 0;
}

/**
 * Frees a descriptor without sites, after synchronize_rcu_tasks() with `direct_mutex` still held: every other
 * change of a direct call waits for that grace period too.
 */
function freeDescriptor({ wait, step }: RoutineWords<FtraceWorld, SiteArgs>): Part[] {
  return [
    step('remove the descriptor', (k, { addr }) => {
      k.ftrace.directFuncs.splice(findDirectFunc(k, addr), 1);
    }),
    wait('rcu_tasks'),
  ];
}

function directOpsEnabled(k: FtraceView): boolean {
  return (opsOf(k, DIRECT_OPS).flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/**
 * unregister_ftrace_direct(ip, addr). Neither the owner of the entry nor its address is checked: an entry that
 * the ops interface made is destroyed as well, and the only sign is the errno of a filter that never had the
 * site. Whether `direct_ops` is to be unregistered is decided by the size of its filter before the site is looked
 * for in it. The entry is freed beside its descriptor: while other sites use that, it is lost.
 */
export const unregisterFtraceDirectIp = routine<FtraceWorld, SiteArgs>(
  'unregister_ftrace_direct(ip)',
  (words) => {
    const { holding, refuse, refuseWith, step, call, when } = words;
    return [
      holding('direct_mutex', [
        refuse('ENODEV', 'not a call site', notASite),
        refuse('ENODEV', 'the site has no direct call', noEntry),
        when('it is the only site of direct_ops', onlySite, [
          call(
            unregisterFtraceFunction,
            () => ({ ops: DIRECT_OPS }),
            () => {},
          ),
        ]),
        call(
          ftraceSetFilterIp,
          (k, site) => onDirectOps(k, site, true),
          (k, locals, errno) => {
            locals.ret = errno;
            if (errno !== 0) warn(k, { is: 'not in direct_ops', ip: locals.ip });
          },
        ),
        step('remove the direct call', (k, site) => {
          const { addr } = site;
          delete k.ftrace.directFunctions[siteNow(k, site)];
          const func = k.ftrace.directFuncs[findDirectFunc(k, addr)];
          if (func === undefined) warn(k, { is: 'no descriptor', addr, by: 'unregister_ftrace_direct' });
          else if (--func.count < 0) warn(k, { is: 'descriptor below zero', addr });
        }),
        when('the trampoline has no site', isUnused, freeDescriptor(words), [
          step('lose the entry', (k, site) => {
            k.ftrace.lostEntries.push(siteNow(k, site));
          }),
        ]),
        refuseWith(['ENOENT', 'ENODEV', 'ENOMEM'], 'direct_ops did not have the site', (_, { ret }) =>
          ret === 0 ? undefined : ret,
        ),
      ]),
    ];
  },
);

/**
 * find_direct_entry(): warns when the record's DIRECT flag and the table disagree; the table decides. A record that
 * has gone since has no entry.
 */
export function noEntry(k: FtraceWorld, site: Site): boolean {
  const ip = siteNow(k, site);
  const rec = k.ftrace.records[ip];
  if (rec === undefined) return true;
  const missing = k.ftrace.directFunctions[ip] === undefined;
  if (missing === has(rec, FTRACE_FL_DIRECT)) warn(k, { is: 'direct record and table disagree', ip });
  return missing;
}

/**
 * `direct_ops.func_hash->filter_hash->count`, with no check for NULL: the hash is a NULL pointer until
 * ftrace_ops_init() has run for `direct_ops`, and an entry of the ops interface gets a client this far.
 */
function onlySite(k: FtraceView): boolean {
  if (!k.ftrace.directOpsHasHash) throw new Oops({ is: 'direct_ops without filter' });
  return filterOf(k, DIRECT_OPS).length === 1;
}
