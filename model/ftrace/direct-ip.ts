import type { Errno } from '../core/errno.ts';
import { Oops } from '../core/oops.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { FTRACE_OPS_FL_ENABLED, filterOf, opsOf } from './ops.ts';
import { FTRACE_FL_DIRECT, has } from './record.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { ftraceSetFilterIp } from './set-filter.ts';
import type { FtraceWorld } from './world.ts';

/*
 * The first interface of direct calls (5.5 to 6.3): one ops of the kernel's own for all call sites, and a descriptor
 * for each trampoline that says how many sites lead there.
 */

const DIRECT_OPS = 'direct_ops';
const STUB_OPS = 'stub_ops';

interface SiteArgs {
  ip: string;
  addr: string;
  ret?: Errno | 0;
}

function notASite(k: FtraceWorld, { ip }: { ip: string }): boolean {
  return k.ftrace.records[ip] === undefined;
}

/** register_ftrace_direct(ip, addr), kernel/trace/ftrace.c (6.3 and before). */
export const registerFtraceDirectIp = routine<FtraceWorld, SiteArgs>(
  'register_ftrace_direct(ip)',
  ({ holding, refuse, allocate, attempt, step, call, when, wait }) => [
    holding('direct_mutex', [
      refuse('ENODEV', 'not a call site', notASite),
      refuse(
        'EBUSY',
        'the site has a direct call',
        (k, { ip }) => k.ftrace.directFunctions[ip] !== undefined,
      ),
      refuse('ENODEV', 'the record is direct without an entry', (k, { ip }) => {
        const stale = has(k.ftrace.records[ip]!, FTRACE_FL_DIRECT);
        if (stale) warn(k, `${ip} is direct and direct_functions does not have it (register_ftrace_direct)`);
        return stale;
      }),
      allocate('the descriptor of the trampoline'),
      step('publish the direct call', (k, { ip, addr }) => {
        k.ftrace.directFuncs[addr] ??= 0;
        k.ftrace.directFunctions[ip] = addr;
      }),
      attempt(
        [
          call(ftraceSetFilterIp, (_, { ip }) => ({ ops: DIRECT_OPS, ip, remove: false, reset: false })),
          step('direct_ops has a hash', (k) => {
            k.ftrace.directOpsHasHash = true;
          }),
          when('direct_ops is not enabled', (k) => !directOpsEnabled(k), [
            attempt(
              [call(registerFtraceFunctionNolock, () => ({ ops: DIRECT_OPS }))],
              [
                call(
                  ftraceSetFilterIp,
                  (_, { ip }) => ({ ops: DIRECT_OPS, ip, remove: true, reset: false }),
                  () => {},
                ),
              ],
            ),
          ]),
        ],
        [
          step('take the direct call back', (k, { ip }) => {
            delete k.ftrace.directFunctions[ip];
          }),
          when('the trampoline has no other site', (k, { addr }) => k.ftrace.directFuncs[addr] === 0, [
            wait('rcu_tasks'),
            step('free the descriptor', (k, { addr }) => {
              delete k.ftrace.directFuncs[addr];
            }),
          ]),
        ],
      ),
      step('count the site', (k, { addr }) => {
        k.ftrace.directFuncs[addr] = k.ftrace.directFuncs[addr]! + 1;
      }),
    ]),
  ],
);

function directOpsEnabled(k: FtraceWorld): boolean {
  return (opsOf(k, DIRECT_OPS).flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/**
 * unregister_ftrace_direct(ip, addr). Whose entry it is and where it leads is not asked: the entry of another
 * interface is destroyed as well, and the answer is only that direct_ops did not have the site.
 */
export const unregisterFtraceDirectIp = routine<FtraceWorld, SiteArgs>(
  'unregister_ftrace_direct(ip)',
  ({ holding, refuse, refuseWith, step, call, when, wait }) => [
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
        (_, { ip }) => ({ ops: DIRECT_OPS, ip, remove: true, reset: false }),
        (k, at, errno) => {
          at.ret = errno;
          if (errno !== 0) warn(k, `direct_ops does not have ${at.ip} (unregister_ftrace_direct)`);
        },
      ),
      step('remove the direct call', (k, { ip, addr }) => {
        delete k.ftrace.directFunctions[ip];
        const count = k.ftrace.directFuncs[addr];
        if (count === undefined) warn(k, `${addr} has no descriptor (unregister_ftrace_direct)`);
        else k.ftrace.directFuncs[addr] = count - 1;
      }),
      when('the trampoline has no other site', (k, { addr }) => k.ftrace.directFuncs[addr] === 0, [
        wait('rcu_tasks'),
        step('free the descriptor', (k, { addr }) => {
          delete k.ftrace.directFuncs[addr];
        }),
      ]),
      refuseWith(['ENOENT', 'ENODEV'], 'direct_ops did not have the site', (_, { ret }) =>
        ret === 0 ? undefined : ret,
      ),
    ]),
  ],
);

/** find_direct_entry(): a record and its entry; the two should agree. */
function noEntry(k: FtraceWorld, { ip }: { ip: string }): boolean {
  const missing = k.ftrace.directFunctions[ip] === undefined;
  if (missing === has(k.ftrace.records[ip]!, FTRACE_FL_DIRECT))
    warn(k, `the record of ${ip} and direct_functions disagree (find_direct_entry)`);
  return missing;
}

/** The hash is read without a look whether there is one: there is none until a first registration. */
function onlySite(k: FtraceWorld): boolean {
  if (!k.ftrace.directOpsHasHash)
    throw new Oops('unregister_ftrace_direct', 'direct_ops has no filter hash: NULL pointer dereference');
  return filterOf(k, DIRECT_OPS).length === 1;
}

interface ModifyArgs {
  ip: string;
  oldAddr: string;
  newAddr: string;
  alone?: boolean;
  split?: boolean;
}

/**
 * ftrace_modify_direct_caller(): a second ops on the site makes it call through the list; then the entry can change;
 * then the second ops goes away.
 */
const ftraceModifyDirectCaller = routine<FtraceWorld, { ip: string; addr: string }>(
  'ftrace_modify_direct_caller',
  ({ call, attempt, step }) => [
    step('prepare stub_ops', (k) => {
      opsOf(k, STUB_OPS).func = 'ftrace_stub';
    }),
    call(ftraceSetFilterIp, (_, { ip }) => ({ ops: STUB_OPS, ip, remove: false, reset: false })),
    attempt(
      [call(registerFtraceFunctionNolock, () => ({ ops: STUB_OPS }))],
      [
        call(
          ftraceSetFilterIp,
          (_, { ip }) => ({ ops: STUB_OPS, ip, remove: true, reset: false }),
          () => {},
        ),
      ],
    ),
    step('change the direct call', (k, { ip, addr }) => {
      k.ftrace.directFunctions[ip] = addr;
    }),
    call(
      unregisterFtraceFunction,
      () => ({ ops: STUB_OPS }),
      () => {},
    ),
    call(
      ftraceSetFilterIp,
      (_, { ip }) => ({ ops: STUB_OPS, ip, remove: true, reset: false }),
      () => {},
    ),
  ],
);

/** modify_ftrace_direct(ip, old_addr, new_addr), kernel/trace/ftrace.c (6.3 and before). */
export const modifyFtraceDirectIp = routine<FtraceWorld, ModifyArgs>(
  'modify_ftrace_direct(ip)',
  ({ holding, refuse, allocate, attempt, step, when, call, wait }) => [
    holding('direct_mutex', [
      holding('ftrace_lock', [
        refuse('ENODEV', 'not a call site', notASite),
        refuse('ENODEV', 'the site has no direct call', noEntry),
        refuse(
          'EINVAL',
          'the direct call leads elsewhere',
          (k, { ip, oldAddr }) => k.ftrace.directFunctions[ip] !== oldAddr,
        ),
        refuse('EINVAL', 'the trampoline has no descriptor', (k, { oldAddr }) => {
          const missing = k.ftrace.directFuncs[oldAddr] === undefined;
          if (missing) warn(k, `${oldAddr} has no descriptor (modify_ftrace_direct)`);
          return missing;
        }),
        when('other sites use the descriptor', (k, { oldAddr }) => k.ftrace.directFuncs[oldAddr]! > 1, [
          allocate('the descriptor of the new trampoline'),
        ]),
        step('change the descriptor', moveDescriptor),
        when('other ops are on the site', (_, { alone }) => alone === false, [
          step('change the direct call', (k, { ip, newAddr }) => {
            k.ftrace.directFunctions[ip] = newAddr;
          }),
        ]),
      ]),
      when('the direct call is alone', (_, { alone }) => alone === true, [
        attempt(
          [call(ftraceModifyDirectCaller, (_, { ip, newAddr }) => ({ ip, addr: newAddr }))],
          [
            step('restore the descriptor', (k, at) =>
              moveDescriptor(k, { ...at, oldAddr: at.newAddr, newAddr: at.oldAddr }),
            ),
            when('a new one was made', (_, { split }) => split === true, [wait('rcu_tasks')]),
          ],
        ),
      ]),
    ]),
  ],
);

/** A descriptor that others use loses a site to a new one; otherwise it gets the new address. */
function moveDescriptor(k: FtraceWorld, at: ModifyArgs): void {
  const { directFuncs, records } = k.ftrace;
  const count = directFuncs[at.oldAddr]!;
  at.alone = records[at.ip]!.count === 1;
  at.split = count > 1;
  if (at.split) directFuncs[at.oldAddr] = count - 1;
  else delete directFuncs[at.oldAddr];
  directFuncs[at.newAddr] = (directFuncs[at.newAddr] ?? 0) + 1;
}
