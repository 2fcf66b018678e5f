import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { opsOnList } from './filter-hash.ts';
import { FTRACE_OPS_FL_PERMANENT } from './ops.ts';
import { updateFtraceFunction } from './ops-list.ts';
import { needsUpdate, takeTraceFunction } from './startup.ts';
import { FTRACE_DISABLE_CALLS, FTRACE_UPDATE_CALLS, ftraceRunUpdateCode } from './update-code.ts';
import type { FtraceWorld } from './world.ts';

/*
 * `kernel.ftrace_enabled`. Switched off, every site is a nop, direct calls and live patches included, while ops
 * stay registered; the records keep what is wanted.
 */

interface SysctlArgs {
  value: boolean;
}

/** The command for ftrace_run_update_code(); 0: the text stays. */
interface SysctlLocals extends SysctlArgs {
  command: number;
}

/**
 * ftrace_enable_sysctl(). A PERMANENT ops (a live patch) refuses to be switched off, and from 7.3 on
 * the kernel does. Switching on clears
 * `saved_ftrace_func` (ftrace_startup_sysctl()), so that the inner calls are patched as well. A dead ftrace
 * answers ENODEV.
 */
export const ftraceEnableSysctl = routine<FtraceWorld, SysctlArgs, SysctlLocals>(
  'ftrace_enable_sysctl',
  ({ holding, refuse, finish, when, step, call }) => [
    holding('ftrace_lock', [
      refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
      finish('nothing changes', (k, { value }) => k.ftrace.enabled === value),
      when(
        'ftrace is switched on',
        (_, { value }) => value,
        [
          step('choose the trace function', (k, locals) => {
            k.ftrace.enabled = true;
            if (k.ftrace.opsList.length > 0) updateFtraceFunction(k);
            k.ftrace.savedTraceFunction = '';
            locals.command = k.ftrace.startUp > 0 ? FTRACE_UPDATE_CALLS : 0;
            if (locals.command !== 0) takeTraceFunction(k, locals);
          }),
          when('ops are registered', (k, locals) => needsUpdate(k, locals), [
            call(ftraceRunUpdateCode, (_, { command }) => ({ command })),
          ]),
        ],
        [
          refuse(
            'EOPNOTSUPP',
            'ftrace is not disabled at run time',
            (k) => !profileNamed(k.profile).disabledBySysctl,
          ),
          refuse('EBUSY', 'a permanent ops is registered', (k) =>
            k.ftrace.opsList.some((name) => (opsOnList(k, name).flags & FTRACE_OPS_FL_PERMANENT) !== 0),
          ),
          step('stop the trace function', (k) => {
            k.ftrace.enabled = false;
            k.ftrace.traceFunction = 'ftrace_stub';
          }),
          when('ops are registered', (k) => k.ftrace.startUp > 0, [
            call(ftraceRunUpdateCode, () => ({ command: FTRACE_DISABLE_CALLS })),
          ]),
        ],
      ),
    ]),
  ],
);
