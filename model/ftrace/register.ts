import type { Errno } from '../core/errno.ts';
import { routine } from '../core/routine.ts';
import { cleanupDirectFunctionsAfterIpmodify, prepareDirectFunctionsForIpmodify } from './ipmodify.ts';
import { ensureOps, ftraceOpsInit } from './ops.ts';
import type { OpsArgs } from './ops-list.ts';
import { ftraceShutdown, ftraceStartup } from './startup.ts';
import type { FtraceWorld } from './world.ts';

/** register_ftrace_function_nolock(): the caller holds `direct_mutex` if it has to. */
export const registerFtraceFunctionNolock = routine<FtraceWorld, OpsArgs>(
  'register_ftrace_function_nolock',
  ({ step, holding, call }) => [
    step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
    holding('ftrace_lock', [call(ftraceStartup, (_, { ops }) => ({ ops, command: 0 }))]),
  ],
);

/**
 * register_ftrace_function(), kernel/trace/ftrace.c. `direct_mutex` is held over both halves, so that no direct
 * call joins after the owners of the existing ones have agreed to share.
 */
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
 * unregister_ftrace_function(), kernel/trace/ftrace.c. `direct_mutex` is taken after `ftrace_lock` was dropped,
 * and only for IPMODIFY ops. The owners of direct calls are notified even if the ops could not be unregistered.
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
