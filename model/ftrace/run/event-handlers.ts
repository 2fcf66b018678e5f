import type { Ip } from '../../core/ids.ts';
import type { Cpu } from '../../text/cpu.ts';

/*
 * The handlers of kprobes and kretprobes that belong to perf events, which are above ftrace: upcalls.
 */

/** `tk->rp.kp.pre_handler`: that of a kprobe. */
export const KPROBE_DISPATCHER = 'kprobe_dispatcher';
/** `tk->rp.handler`: that of a kretprobe. */
export const KRETPROBE_DISPATCHER = 'kretprobe_dispatcher';

/** What such a handler is given. */
export interface EventHit {
  readonly cpu: Cpu;
  /** The perf event. */
  readonly event: string;
  /** The address of the kprobe. */
  readonly fn: Ip;
  /** The argument registers, of a kprobe. */
  readonly args?: readonly string[];
  /** The return value, of a kretprobe. */
  readonly ret?: string;
}
