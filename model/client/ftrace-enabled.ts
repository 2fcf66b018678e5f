import { EVERYWHERE } from '../contract/footprint.ts';
import { ftraceEnableSysctl } from '../ftrace/sysctl.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { bit } from './spelling.ts';

/*
 * ftrace_enable_sysctl() in kernel/trace/ftrace.c, all of it under `ftrace_lock`: ENODEV when ftrace is dead, 0
 * when the value is the one that there is, EBUSY when it is switched off while an ops with
 * FTRACE_OPS_FL_PERMANENT is registered (live patches and, on 6.1, direct_ops), EOPNOTSUPP when it is switched
 * off on 7.3. Registrations are accepted
 * while it is off and patch nothing; switching it on patches all of them at once.
 */

/**
 * /proc/sys/kernel/ftrace_enabled. BPF programs as targets have no record in ftrace, and their attachments run
 * on.
 */
export interface FtraceEnabled {
  readonly do: 'kernel.ftrace_enabled';
  readonly value: boolean;
}

export const ftraceEnabledCall: ClientCall<FtraceEnabled> = {
  sentence: 'Switches all of ftrace off and on.',
  examples: [
    { do: 'kernel.ftrace_enabled', value: false },
    { do: 'kernel.ftrace_enabled', value: true },
  ],
  service: servedBy(ftraceEnableSysctl, argsOf),
  role: 'something else',
  isMisuse: never,
  promised: (p, { value }) => ({ ...p, tracing: value }),
  touched: () => EVERYWHERE,
  undo: ({ do: name, value }, _, { tracing }) => (value === tracing ? [{ do: name, value: !tracing }] : []),
  print: ({ value }) => `sysctl kernel.ftrace_enabled=${bit(value)}`,
  parse({ text }) {
    const [, value] = /^sysctl kernel\.ftrace_enabled=([01])$/.exec(text) ?? [];
    return value === undefined ? undefined : { do: 'kernel.ftrace_enabled', value: value === '1' };
  },
};
