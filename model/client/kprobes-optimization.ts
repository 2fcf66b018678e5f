import { EVERYWHERE } from '../contract/footprint.ts';
import { kprobesOptimization } from '../ftrace/kprobes-sysctl.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy, unchanged } from './client-call.ts';
import { bit } from './spelling.ts';

/*
 * proc_kprobes_optimization_handler() in kernel/kprobes.c: kprobes in bodies are queued to get a jump, or to lose it; the
 * latter is waited for. A kernel boots with 1, and a trace begins with 0.
 */

/** /proc/sys/debug/kprobes-optimization. */
export interface KprobesOptimization {
  readonly do: 'debug.kprobes-optimization';
  readonly value: boolean;
}

export const kprobesOptimizationCall: ClientCall<KprobesOptimization> = {
  sentence: 'Lets kprobes in the bodies of functions become jumps, or forbids it.',
  examples: [
    { do: 'debug.kprobes-optimization', value: true },
    { do: 'debug.kprobes-optimization', value: false },
  ],
  service: servedBy(kprobesOptimization, argsOf),
  role: 'something else',
  isMisuse: never,
  promised: unchanged,
  touched: () => EVERYWHERE,
  print: ({ value }) => `sysctl debug.kprobes-optimization=${bit(value)}`,
  parse({ text }) {
    const [, value] = /^sysctl debug\.kprobes-optimization=([01])$/.exec(text) ?? [];
    return value === undefined ? undefined : { do: 'debug.kprobes-optimization', value: value === '1' };
  },
};
