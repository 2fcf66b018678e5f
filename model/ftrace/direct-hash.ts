import type { Errno } from '../core/errno.ts';
import type { Part } from '../core/part.ts';
import type { Words } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { notDirect, notEnabled, resetOps } from './direct.ts';
import { hashUpdateIpmodify } from './ipmodify.ts';
import type { Hash } from './ops.ts';
import {
  FTRACE_OPS_FL_ENABLED,
  FTRACE_OPS_FL_STUB,
  filterOf,
  ftraceOpsInit,
  MULTI_FLAGS,
  opsOf,
  withIp,
} from './ops.ts';
import { registerFtraceFunctionNolock, unregisterFtraceFunction } from './register.ts';
import { hashMoveAndUpdateOps } from './set-filter.ts';
import type { FtraceWorld } from './world.ts';

/*
 * Direct calls by a table of the client's (7.0): one ops for all sites, each with an address of its own. A new table
 * is published whole, and readers of the old one are waited for in the background.
 */

/** update_ftrace_direct_mod() has a temporary ops of its own. */
const MOD_TMP_OPS = 'tmp_ops(mod)';

/** What is added, removed or changed: an address for each function. */
export type DirectHash = Readonly<Record<string, string>>;

interface HashArgs {
  ops: string;
  hash: DirectHash;
}

interface UpdateArgs extends HashArgs {
  reg?: boolean;
  oldFilter?: Hash;
  oldDirect?: DirectHash;
  errno?: Errno | 0;
}

function empty(_: FtraceWorld, { hash }: HashArgs): boolean {
  return Object.keys(hash).length === 0;
}

/** update_ftrace_direct_add(), kernel/trace/ftrace.c. */
export const updateFtraceDirectAdd = routine<FtraceWorld, UpdateArgs>('update_ftrace_direct_add', (words) => {
  const { refuse, holding, allocate, step, attempt, when } = words;
  return [
    refuse('EINVAL', 'nothing is added', empty),
    holding('direct_mutex', [
      refuse('EINVAL', 'a site has a direct call', (k, { hash }) =>
        Object.keys(hash).some((ip) => k.ftrace.directFunctions[ip] !== undefined),
      ),
      step('look at the filter', (k, at) => {
        at.oldFilter = filterOf(k, at.ops);
        at.reg = at.oldFilter.length === 0;
      }),
      refuse('EINVAL', 'the ops is in use', (k, { ops, reg }) => reg === true && isUsed(k, ops)),
      allocate('the new filter and the new direct_functions'),
      step('publish direct_functions', (k, at) => {
        at.oldDirect = { ...k.ftrace.directFunctions };
        Object.assign(k.ftrace.directFunctions, at.hash);
      }),
      attempt(
        [
          when(
            'these are the first sites',
            (_, { reg }) => reg === true,
            registerDirect(words),
            moveFilter(words, ({ hash, oldFilter }) => Object.keys(hash).reduce(withIp, oldFilter!)),
          ),
        ],
        [
          step('publish the old direct_functions', (k, at) => {
            k.ftrace.directFunctions = { ...at.oldDirect };
          }),
        ],
      ),
    ]),
  ];
});

function isUsed(k: FtraceWorld, name: string): boolean {
  const ops = opsOf(k, name);
  return ops.func !== '' || ops.trampoline !== '' || (ops.flags & FTRACE_OPS_FL_ENABLED) !== 0;
}

/** An ops with its first sites becomes direct and is registered. */
function registerDirect({ step, attempt, call }: Words<FtraceWorld, UpdateArgs>): Part[] {
  return [
    step('make the ops direct', (k, { ops: name, hash }) => {
      const ops = opsOf(k, name);
      ops.func = 'call_direct_funcs';
      ops.flags |= MULTI_FLAGS;
      ops.trampoline = 'ftrace_regs_caller';
      ops.hashOf = name;
      ops.filter = Object.keys(hash).sort();
    }),
    attempt(
      [call(registerFtraceFunctionNolock, (_, { ops }) => ({ ops }))],
      [
        step('reset the ops', (k, at) => {
          opsOf(k, at.ops).filter = at.oldFilter!;
          resetOps(k, at.ops);
        }),
      ],
    ),
  ];
}

/** An ops that has sites and keeps some gets another filter. */
function moveFilter(
  { holding, call }: Words<FtraceWorld, UpdateArgs>,
  filter: (at: UpdateArgs) => Hash,
): Part[] {
  return [
    holding('ftrace_lock', [
      call(hashMoveAndUpdateOps, (_, at) => ({ ops: at.ops, which: 'filter' as const, hash: filter(at) })),
    ]),
  ];
}

/** update_ftrace_direct_del(): every entry has to be there with just this address. */
export const updateFtraceDirectDel = routine<FtraceWorld, UpdateArgs>('update_ftrace_direct_del', (words) => {
  const { refuse, holding, allocate, step, when, call } = words;
  return [
    refuse('EINVAL', 'nothing is removed', empty),
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    holding('direct_mutex', [
      refuse('EINVAL', 'no function has a direct call', noDirectCalls),
      refuse('EINVAL', 'the filter is empty', (k, { ops }) => filterOf(k, ops).length === 0),
      refuse('EINVAL', 'a site does not call there', (k, { hash }) =>
        Object.entries(hash).some(([ip, addr]) => k.ftrace.directFunctions[ip] !== addr),
      ),
      allocate('the smaller filter and the smaller direct_functions'),
      step('compute the smaller filter', (k, at) => {
        at.oldFilter = filterOf(k, at.ops).filter((ip) => at.hash[ip] === undefined);
      }),
      when(
        'no site is left',
        (_, { oldFilter }) => oldFilter!.length === 0,
        [
          call(unregisterFtraceFunction, (_, { ops }) => ({ ops })),
          step('reset the ops', (k, { ops }) => {
            resetOps(k, ops);
            opsOf(k, opsOf(k, ops).hashOf).filter = [];
          }),
        ],
        moveFilter(words, ({ oldFilter }) => oldFilter!),
      ),
      step('publish the smaller direct_functions', (k, { hash }) => {
        for (const ip of Object.keys(hash)) delete k.ftrace.directFunctions[ip];
      }),
    ]),
  ];
});

function noDirectCalls(k: FtraceWorld): boolean {
  return Object.keys(k.ftrace.directFunctions).length === 0;
}

interface ModArgs extends UpdateArgs {
  /** Otherwise the caller holds `direct_mutex`: it is an ops_func. */
  lockDirectMutex: boolean;
}

/** The body of update_ftrace_direct_mod(). Functions without a direct call are passed over. */
const modDirect = routine<FtraceWorld, UpdateArgs>(
  'update_ftrace_direct_mod: modify',
  ({ refuse, step, call, holding, when, refuseWith }) => [
    refuse('EINVAL', 'no function has a direct call', noDirectCalls),
    refuse('EINVAL', 'the ops has no filter', (k, { ops }) => filterOf(k, ops).length === 0),
    step('prepare tmp_ops', (k, { hash }) => {
      const tmp = opsOf(k, MOD_TMP_OPS);
      tmp.func = 'ftrace_stub';
      tmp.flags |= FTRACE_OPS_FL_STUB;
      ftraceOpsInit(tmp, MOD_TMP_OPS);
      tmp.filter = Object.keys(hash).sort();
    }),
    call(registerFtraceFunctionNolock, () => ({ ops: MOD_TMP_OPS })),
    call(
      hashUpdateIpmodify,
      (k, { ops }) => ({ ops, from: filterOf(k, ops), to: filterOf(k, ops), updateTarget: true }),
      (_, at, errno) => {
        at.errno = errno;
      },
    ),
    when('all owners agree', (_, { errno }) => errno === 0, [
      holding('ftrace_lock', [
        step('change the direct calls', (k, { hash }) => {
          for (const [ip, addr] of Object.entries(hash))
            if (k.ftrace.directFunctions[ip] !== undefined) k.ftrace.directFunctions[ip] = addr;
        }),
      ]),
    ]),
    call(
      unregisterFtraceFunction,
      () => ({ ops: MOD_TMP_OPS }),
      () => {},
    ),
    refuseWith(['EAGAIN', 'EBUSY', 'EINVAL'], 'an owner cannot share with IPMODIFY', (_, { errno }) =>
      errno === 0 ? undefined : errno,
    ),
  ],
);

/** update_ftrace_direct_mod(), kernel/trace/ftrace.c. */
export const updateFtraceDirectMod = routine<FtraceWorld, ModArgs>(
  'update_ftrace_direct_mod',
  ({ refuse, when, holding, call }) => [
    refuse('EINVAL', 'nothing is changed', empty),
    refuse('EINVAL', 'the ops is not direct', notDirect),
    refuse('EINVAL', 'the ops is not enabled', notEnabled),
    when(
      'direct_mutex is not held',
      (_, { lockDirectMutex }) => lockDirectMutex,
      [holding('direct_mutex', [call(modDirect, (_, { ops, hash }) => ({ ops, hash }))])],
      [call(modDirect, (_, { ops, hash }) => ({ ops, hash }))],
    ),
  ],
);
