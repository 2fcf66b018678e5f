import { routine } from '../core/routine.ts';
import { FTRACE_OPS_FL_SAVE_REGS, opsOf } from './ops.ts';
import type { FprobeArgs, ProbeWorld } from './probes.ts';
import { enterFprobe } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { rethookAlloc, rethookFree } from './rethook.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

/*
 * Fprobes on rethook (5.18 to 6.13), kernel/trace/fprobe.c: each has an ops and a pool of return hooks of its own.
 */

function fprobeOps(fprobe: string): string {
  return `${fprobe}.ops`;
}

/** register_fprobe_ips(). */
export const registerOnRethook = routine<ProbeWorld, FprobeArgs>(
  'register_fprobe_ips (rethook)',
  ({ refuse, step, call, allocate, attempt, when }) => [
    refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
    step('fprobe_init', (k, at) => {
      const ops = opsOf(k, fprobeOps(at.fprobe));
      ops.func = 'fprobe_handler';
      ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
      enterFprobe(k, at);
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
        step('fprobe_fail_cleanup', forget),
        call(
          ftraceFreeFilter,
          (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
          () => {},
        ),
      ],
    ),
  ],
);

export const unregisterOnRethook = routine<ProbeWorld, { fprobe: string }>(
  'unregister_fprobe (rethook)',
  ({ refuse, step, call }) => [
    refuse(
      'EINVAL',
      'the fprobe is not registered',
      (k, { fprobe }) => k.probes.fprobes[fprobe] === undefined,
    ),
    step('stop the pool', (k, { fprobe }) => {
      const rethook = k.probes.rethooks[fprobe];
      if (rethook !== undefined) rethook.handler = false;
    }),
    call(unregisterFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
    step('free the pool', forget),
    call(
      ftraceFreeFilter,
      (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
      () => {},
    ),
  ],
);

function forget(k: ProbeWorld, { fprobe }: { fprobe: string }): void {
  rethookFree(k, fprobe);
  delete k.probes.fprobes[fprobe];
}
