import type { AttachLaw } from './attach/moment.ts';
import { countIsTheNumberOfOps } from './ftrace/count-is-the-number-of-ops.ts';
import { everyProbeFiresOnce } from './ftrace/every-probe-fires-once.ts';
import { ftraceStaysAlive } from './ftrace/ftrace-stays-alive.ts';

/** The laws that sequences of client calls are held against. */
export const ATTACH_LAWS: readonly AttachLaw[] = [ftraceStaysAlive, countIsTheNumberOfOps, everyProbeFiresOnce];
