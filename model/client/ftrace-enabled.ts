import { EVERYWHERE } from '../contract/footprint.ts';
import { ftraceEnableSysctl } from '../ftrace/sysctl.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { bit } from './spelling.ts';

/** The switch of all tracing. */
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
