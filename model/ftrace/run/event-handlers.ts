import type { Ip } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import type { Cpu } from '../../text/cpu.ts';
import type { ProbeWorld } from '../probes.ts';
import type { AtSite } from './regs.ts';
import { argumentsOf } from './regs.ts';

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

/** A handler of a kprobe at an address, which may be that of a perf event. */
interface AtKprobe extends AtSite {
  /** The perf event whose handler is called next; empty: none. */
  event: string;
}

/** The call of `kp->pre_handler`, where it is that of a perf event. */
export function dispatchEvent<L extends AtKprobe>({ when, upcall }: RoutineWords<ProbeWorld, L>): Part {
  return when('it is that of a perf event', (_, { event }) => event !== '', [
    upcall(
      KPROBE_DISPATCHER,
      (_, locals): EventHit => ({
        cpu: locals.cpu,
        event: locals.event,
        fn: locals.hit.ip,
        args: argumentsOf(locals),
      }),
    ),
  ]);
}
