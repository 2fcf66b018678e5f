import type { CodeName } from '../core/ids.ts';
import { entry, item } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import type { Site } from './direct-ip.ts';
import { findDirectFunc, noEntry, notASite, siteNow } from './direct-ip.ts';
import { ensureOps } from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { ftraceSetFilterIp } from './set-filter.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * Changing the address of a direct call in the first interface (5.5 to 6.3). As in `direct-modify.ts` a second
 * ops, here `stub_ops`, makes the site call through the list while its entry changes. A site that other ops trace
 * calls through the list anyway, and its entry is changed directly, under `ftrace_lock`.
 */

/** A static ops, guarded by `direct_mutex`. */
const STUB_OPS = 'stub_ops';

interface ModifyArgs extends Site {
  oldAddr: string;
  newAddr: string;
}

/**
 * `alone`: no other ops is on the site. `descriptor`: the place of the changed one. `split`: it keeps other sites, and
 * a new one was made.
 */
interface ModifyLocals extends ModifyArgs {
  alone: boolean;
  descriptor: number;
  split: boolean;
}

/**
 * ftrace_modify_direct_caller(): `stub_ops` joins, the entry changes, `stub_ops` leaves. Its filter is cleaned up
 * even when unregistering failed.
 */
const ftraceModifyDirectCaller = routine<FtraceWorld, Site & { addr: CodeName }>(
  'ftrace_modify_direct_caller',
  ({ call, attempt, step }) => [
    step('prepare stub_ops', (k) => {
      ensureOps(k, STUB_OPS).func = 'ftrace_stub';
    }),
    call(ftraceSetFilterIp, (k, site) => onStubOps(k, site, false)),
    attempt(
      [call(registerFtraceFunctionNolock, () => ({ ops: STUB_OPS }))],
      [
        call(
          ftraceSetFilterIp,
          (k, site) => onStubOps(k, site, true),
          () => {},
        ),
      ],
    ),
    step('change the direct call', (k, locals) => {
      k.ftrace.directFunctions[siteNow(k, locals)] = locals.addr;
    }),
    call(
      unregisterFtraceFunction,
      () => ({ ops: STUB_OPS }),
      () => {},
    ),
    call(
      ftraceSetFilterIp,
      (k, site) => onStubOps(k, site, true),
      () => {},
    ),
  ],
);

/** The arguments of ftrace_set_filter_ip(): the site joins `stub_ops`, or leaves it. */
function onStubOps(k: FtraceView, site: Site, remove: boolean) {
  return { ops: STUB_OPS, ip: siteNow(k, site), remove, reset: false };
}

/**
 * modify_ftrace_direct(ip, old_addr, new_addr), kernel/trace/ftrace.c (6.3 and before). `old_addr` has to match:
 * two clients that modify the same site cannot overwrite each other. `ftrace_lock` is dropped before `stub_ops`
 * is registered, which takes it itself; `direct_mutex` keeps the entry stable meanwhile.
 */
export const modifyFtraceDirectIp = routine<FtraceWorld, ModifyArgs, ModifyLocals>(
  'modify_ftrace_direct(ip)',
  ({ holding, refuse, allocate, attempt, step, when, call, wait }) => [
    holding('direct_mutex', [
      holding('ftrace_lock', [
        refuse('ENODEV', 'not a call site', notASite),
        refuse('ENODEV', 'the site has no direct call', noEntry),
        refuse(
          'EINVAL',
          'the direct call has another address',
          (k, { ip, oldAddr }) => k.ftrace.directFunctions[ip] !== oldAddr,
        ),
        refuse('EINVAL', 'the trampoline has no descriptor', (k, { oldAddr }) => {
          const missing = findDirectFunc(k, oldAddr) < 0;
          if (missing) warn(k, { is: 'no descriptor', addr: oldAddr, by: 'modify_ftrace_direct' });
          return missing;
        }),
        when('other sites use the descriptor', hasOtherSites, [
          allocate('the descriptor of the new trampoline'),
        ]),
        step('change the descriptor', moveDescriptor),
        when('other ops are on the site', (_, { alone }) => !alone, [
          step('change the direct call', (k, locals) => {
            k.ftrace.directFunctions[siteNow(k, locals)] = locals.newAddr;
          }),
        ]),
      ]),
      when('the direct call is alone', (_, { alone }) => alone, [
        attempt(
          [call(ftraceModifyDirectCaller, (_, { ip, got, newAddr }) => ({ ip, got, addr: newAddr }))],
          [
            holding('ftrace_lock', [
              step('restore the descriptor', restoreDescriptor),
              when('a new one was made', (_, { split }) => split, [wait('rcu_tasks')]),
            ]),
          ],
        ),
      ]),
    ]),
  ],
);

/**
 * A descriptor with other sites loses one to a new descriptor; otherwise it is given the new address. Whether the
 * new address has a descriptor already is not checked.
 */
function moveDescriptor(k: FtraceWorld, locals: ModifyLocals): void {
  const { directFuncs, records } = k.ftrace;
  const func = item(directFuncs, findDirectFunc(k, locals.oldAddr));
  locals.alone = entry(records, locals.ip).count === 1;
  locals.split = func.count > 1;
  if (locals.split) {
    func.count--;
    directFuncs.unshift({ addr: locals.newAddr, count: 1 });
  } else func.addr = locals.newAddr;
  locals.descriptor = directFuncs.indexOf(func);
}

/** The new descriptor is the first of the list. */
function restoreDescriptor({ ftrace: { directFuncs } }: FtraceWorld, locals: ModifyLocals): void {
  const func = item(directFuncs, locals.descriptor);
  func.addr = locals.oldAddr;
  if (!locals.split) return;
  func.count++;
  directFuncs.shift();
}

function hasOtherSites(k: FtraceView, { oldAddr }: ModifyArgs): boolean {
  return item(k.ftrace.directFuncs, findDirectFunc(k, oldAddr)).count > 1;
}
