import type { Errno } from '../core/errno.ts';
import { routine } from '../core/routine.ts';
import { cleanupDirectFunctionsAfterIpmodify, prepareDirectFunctionsForIpmodify } from './ipmodify.ts';
import { ensureOps, ftraceOpsInit } from './ops.ts';
import type { OpsArgs } from './ops-list.ts';
import { ftraceShutdown, ftraceStartup } from './startup.ts';
import type { FtraceWorld } from './world.ts';

/** register_ftrace_function_nolock(): `direct_mutex` is the caller's business. */
export const registerFtraceFunctionNolock = routine<FtraceWorld, OpsArgs>(
  'register_ftrace_function_nolock',
  ({ step, holding, call }) => [
    step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
    holding('ftrace_lock', [call(ftraceStartup, (_, { ops }) => ({ ops, command: 0 }))]),
  ],
);

/** register_ftrace_function(), kernel/trace/ftrace.c. */
export const registerFtraceFunction = routine<FtraceWorld, OpsArgs>(
  'register_ftrace_function',
  ({ holding, call }) => [
    holding('direct_mutex', [
      call(prepareDirectFunctionsForIpmodify, (_, { ops }) => ({ ops })),
      call(registerFtraceFunctionNolock, (_, { ops }) => ({ ops })),
    ]),
  ],
);

/**
 * unregister_ftrace_function(), kernel/trace/ftrace.c. The owners of direct calls are told when an IPMODIFY ops has
 * gone, even if it could not go.
 */
export const unregisterFtraceFunction = routine<FtraceWorld, OpsArgs & { errno?: Errno }>(
  'unregister_ftrace_function',
  ({ holding, call, refuseWith }) => [
    holding('ftrace_lock', [
      call(
        ftraceShutdown,
        (_, { ops }) => ({ ops, command: 0 }),
        (_, locals, errno) => {
          if (errno !== 0) locals.errno = errno;
        },
      ),
    ]),
    call(
      cleanupDirectFunctionsAfterIpmodify,
      (_, { ops }) => ({ ops }),
      () => {},
    ),
    refuseWith(['ENODEV', 'EBUSY', 'EPERM'], 'ftrace_shutdown failed', (_, { errno }) => errno),
  ],
);
