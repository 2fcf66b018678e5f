import type { FprobeId, OpsId } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import { ensureOps, FTRACE_OPS_FL_SAVE_REGS } from './ops.ts';
import type { FprobeArgs, ProbeWorld } from './probes.ts';
import { enterFprobe, isFprobeRegistered } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { rethookAlloc, rethookFree, rethookStop } from './rethook.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

/*
 * Fprobes on rethook (5.18 to 6.13), kernel/trace/fprobe.c: each has its own ops, with its functions as the
 * filter, and its own pool of return hooks if it has an exit handler.
 */

/** `fp->ops`, embedded in the fprobe: it is freed with it. */
function fprobeOps(fprobe: FprobeId): OpsId {
  return `${fprobe}.ops`;
}

/**
 * register_fprobe_ips(). The filter is set before the ops is registered, which patches all functions in one
 * update. The pool has two nodes for each function and possible CPU unless `nr_maxactive` says otherwise; the
 * model has one CPU here.
 */
export const registerOnRethook = routine<ProbeWorld, FprobeArgs>('register_fprobe_ips (rethook)', (words) => {
  const { refuse, step, call, allocate, attempt, when } = words;
  return [
    refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
    step('fprobe_init', (k, locals) => {
      const ops = ensureOps(k, fprobeOps(locals.fprobe));
      ops.func = 'fprobe_handler';
      ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
      enterFprobe(k, locals);
    }),
    attempt(
      [
        call(ftraceSetHash, (_, { fprobe, ips }) => ({
          ops: fprobeOps(fprobe),
          which: 'filter' as const,
          ips,
          remove: false,
          reset: false,
        })),
        when('it has an exit handler', (_, { exit }) => exit, [
          allocate('the pool of return hooks'),
          step('make the pool', (k, { fprobe, ips, maxactive }) =>
            rethookAlloc(k, fprobe, maxactive > 0 ? maxactive : ips.length * 2),
          ),
        ]),
        call(registerFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
      ],
      [
        ...rethookFree(words, ({ fprobe }) => fprobe),
        step('fprobe_fail_cleanup', forget),
        call(
          ftraceFreeFilter,
          (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
          () => {},
        ),
      ],
    ),
  ];
});

/**
 * unregister_fprobe(). The pool is stopped first, so that no handler of a return under way starts after that;
 * unregister_ftrace_function() then waits for the entry handlers. When that fails, nothing else happens: with ftrace dead
 * the fprobe stays on the list, and its client frees it all the same.
 */
export const unregisterOnRethook = routine<ProbeWorld, { fprobe: FprobeId }>(
  'unregister_fprobe (rethook)',
  (words) => {
    const { refuse, step, call } = words;
    return [
      refuse('EINVAL', 'the fprobe is not registered', (k, { fprobe }) => !isFprobeRegistered(k, fprobe)),
      step('rethook_stop', (k, { fprobe }) => rethookStop(k, fprobe)),
      call(unregisterFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
      ...rethookFree(words, ({ fprobe }) => fprobe),
      step('forget the fprobe', forget),
      call(
        ftraceFreeFilter,
        (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
        () => {},
      ),
    ];
  },
);

/** ftrace_shutdown() has waited: from here on the memory of the fprobe is the client's. */
function forget(k: ProbeWorld, { fprobe }: { fprobe: FprobeId }): void {
  delete k.probes.fprobes[fprobe];
}
