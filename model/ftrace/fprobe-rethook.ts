import type { FprobeId, OpsId } from '../core/ids.ts';
import { routine } from '../core/routine.ts';
import { ensureOps, FTRACE_OPS_FL_SAVE_REGS } from './ops.ts';
import type { FprobeArgs, ProbeWorld } from './probes.ts';
import { enterFprobe, isFprobeRegistered } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { rethookAlloc, rethookFree, rethookStop } from './rethook.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

/*
 * Fprobes on rethook (5.18 to 6.13), kernel/trace/fprobe.c: each has an ops and a pool of return hooks of its own.
 */

function fprobeOps(fprobe: FprobeId): OpsId {
  return `${fprobe}.ops`;
}

/** register_fprobe_ips(). */
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

/** The ops was waited for: from here on the fprobe is its owner's again. */
function forget(k: ProbeWorld, { fprobe }: { fprobe: FprobeId }): void {
  delete k.probes.fprobes[fprobe];
}
