import type { KretprobeId, RethookId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { last } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { equal, toHex } from '../../x86/word.ts';
import type { RetStackFrame } from '../fgraph.ts';
import { fgraphReserveData, hasFrameRoom, pushReturn } from '../fgraph.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { hasHandler, rethookHold, rethookRecycle, userOf } from '../rethook.ts';
import { kretprobeInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { parentSlot } from './regs.ts';

/*
 * Kretprobes on the shadow stack of function graph, as Steven Rostedt proposed in 2021 (Merging the return caller
 * infrastructures). A kretprobe is still entered as by a breakpoint, with all registers. Its return has a frame
 * of function graph: the one that this call has already, or a new one. The frame names the owner, so that an
 * owner that unregisters is not called any more, and the owner is freed with the last frame that names it.
 */

/** Words of the frame for a kretprobe. */
const OWNER_WORDS = 1;

/** Hooks the return for a kretprobe; false when the stack is full, or its owner is being unregistered. */
export function hookOnStack(k: ProbeWorld, locals: AtSite, name: string, tell: () => void): boolean {
  const { fgraph } = k;
  const own = frameOfCall(k, locals);
  const before = fgraph.used;
  if (fgraph.stopped || (own === undefined && !hasFrameRoom(k))) return missed(k, !fgraph.stopped);
  if (own === undefined) pushReturn(k, locals.cpu, locals.hit.ip, parentSlot(locals));
  const pool = fgraphReserveData(k, OWNER_WORDS) ? rethookHold(k, name) : undefined;
  if (pool === undefined) {
    fgraph.used = before;
    if (own === undefined) fgraph.retStack.pop();
    return false;
  }
  tell();
  const frame = last(fgraph.retStack);
  const { pools, first } = frame.kretprobes ?? { pools: [], first: own === undefined };
  frame.kretprobes = { pools: [...pools, pool], first };
  locals.cpu.write(parentSlot(locals), addressOf(k, 'return_to_handler'));
  return true;
}

/** ftrace_push_return_trace() counts the calls that it had no space for. */
function missed({ fgraph }: ProbeWorld, isFull: boolean): false {
  if (isFull) fgraph.overrun++;
  return false;
}

/**
 * The frame that a call has already. When another hook has replaced the return address since, the frame does not
 * count: a later hook has to run before that one at the return.
 */
export function frameOfCall(k: ProbeWorld, locals: AtSite): RetStackFrame | undefined;
export function frameOfCall(k: ProbeView, locals: AtSite): DeepReadonly<RetStackFrame | undefined>;
export function frameOfCall(k: ProbeView, locals: AtSite): DeepReadonly<RetStackFrame | undefined> {
  const frame = k.fgraph.retStack.at(-1);
  const slot = parentSlot(locals);
  if (frame === undefined || frame.retp !== toHex(slot) || frame.func !== locals.hit.ip) return undefined;
  return equal(locals.cpu.read(slot), addressOf(k, 'return_to_handler')) ? frame : undefined;
}

/** A return, with the CPU on which it runs. */
export interface ReturnArgs {
  readonly cpu: Cpu;
}

/** The return handler with the frame that it has found. */
export interface Telling extends ReturnArgs {
  /** The frame of the call that returns, if there is one, and what it returns. */
  frame: RetStackFrame;
  ret: string;
  /** The pool of a kretprobe that was entered. */
  pool: RethookId;
  /** Its owner has not been unregistered. */
  owned: boolean;
}

/** The kretprobe handlers at the return, the one that was entered last first. */
export function tellKretprobes<L extends Telling>(words: RoutineWords<ProbeWorld, L>, first: boolean): Part {
  const { when, each, step } = words;
  return when(
    first ? 'kretprobes were entered first' : 'kretprobes were entered last',
    (_, { frame }) => frame.kretprobes?.first === first,
    withoutPreemption(words, [
      each<string>(
        'a kretprobe',
        (_, { frame }) => frame.kretprobes?.pools.toReversed() ?? [],
        (locals, pool) => {
          locals.pool = pool;
        },
        [
          step('read its owner', (k, locals) => {
            locals.owned = hasHandler(k, locals.pool);
          }),
          step('call its handler', (k, { cpu, frame, ret, pool, owned }) => {
            if (!owned) return;
            const kretprobe = userOf(k, pool) as KretprobeId;
            kretprobeInMemory(k, kretprobe, 'kretprobe_graph_handler');
            cpu.events.push({ kind: 'kretprobe', who: kretprobe, fn: frame.func, ret });
          }),
          step('leave its owner', (k, { pool }) => rethookRecycle(k, pool)),
        ],
      ),
    ]),
  );
}
