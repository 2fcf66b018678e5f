import type { FprobeId, KretprobeId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { last } from '../../core/present.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import { clearBit, isRecursive, TRACE_FTRACE_START, takeBit } from '../../task/recursion.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RAX, RDI } from '../../x86/register.ts';
import { fromHex, plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import type { ProbeId, ProbeView, ProbeWorld, RethookNode } from '../probes.ts';
import { hasHandler, rethookRecycle, userOf } from '../rethook.ts';
import type { EventHit } from './event-handlers.ts';
import { KRETPROBE_DISPATCHER } from './event-handlers.ts';
import { fprobeExit } from './fprobes.ts';
import { fprobeInMemory } from './in-memory.ts';
import { enterProgram } from './kprobe-multi.ts';

/*
 * The return of a hooked call (kretprobes, fprobes on rethook). Several hooks of one call form a run on the
 * task's list: all but the oldest have recorded the trampoline's own address as the return address.
 *
 * ```text
 *   current->rethooks -> fprobe#1 (trampoline) -> kretprobe#1 (caller+0x8) -> kretprobe#2 of an outer call ...
 *                        |---- nodes of this return, newest first ----|
 * ```
 */

interface ReturnArgs {
  readonly cpu: Cpu;
}

/** The return between its steps: its nodes, and the one whose handler is next. */
interface Return extends ReturnArgs {
  /** The nodes of this return, the newest first; the oldest one holds the address to return to. */
  nodes: readonly RethookNode[];
  node: RethookNode;
  /** Its pool still has a handler, for rethook_stop() has not run, and that is not recursive. */
  handled: boolean;
}

/**
 * arch_rethook_trampoline_callback() and rethook_trampoline_handler(), kernel/trace/rethook.c. Handlers run while
 * the nodes are still linked, so that a stack dump can decode them; then the nodes are unlinked together and go
 * back to their pools. Preemption is disabled throughout, against rethook_free_rcu().
 */
export const archRethookTrampolineCallback = routine<ProbeWorld, ReturnArgs, Return>(
  'arch_rethook_trampoline_callback',
  (words) => {
    const { step, when } = words;
    return [
      step('find the nodes of the return', (k, locals) => {
        locals.nodes = nodesOfReturn(k);
      }),
      when(
        'no return address is known',
        (_, { nodes }) => nodes.length === 0,
        [step('panic', (k, { cpu }) => cpu.setRegister(RAX, addressOf(k, 'panic')))],
        withoutPreemption(words, goBack(words)),
      ),
    ];
  },
);

/**
 * All handlers first, then the return address; then the nodes are unlinked together and go back to their pools.
 */
function goBack(words: RoutineWords<ProbeWorld, Return>): Part[] {
  const { step, each, when, upcall } = words;
  return [
    each<RethookNode>('each handler', (_, { nodes }) => nodes, takeNode, [
      step('read the handler of its pool', (k, locals) => {
        locals.handled = hasHandler(k, locals.node.rethook);
        if (locals.handled) enterHandler(k, locals);
      }),
      enterProgram(words, 'exit', (k, { node, handled }) =>
        handled ? (userOf(k, node.rethook) as FprobeId) : '',
      ),
      step('call its handler', callHandler),
      when('it is that of a perf event', isOfEvent, [
        upcall(
          KRETPROBE_DISPATCHER,
          (k, { cpu, node }): EventHit => ({
            cpu,
            event: userOf(k, node.rethook),
            fn: node.fn,
            ret: returned(cpu),
          }),
        ),
        step('no kprobe is running', (k) => {
          k.current.kprobe = false;
        }),
      ]),
    ]),
    // From the oldest node: the others hold the trampoline's address.
    step('give the return address', (_, { cpu, nodes }) =>
      cpu.setRegister(RAX, fromHex(last(nodes).retAddr)),
    ),
    // After the handlers, and before a node can be taken again for another call.
    step('take the nodes off the list', ({ probes }, { nodes }) => {
      probes.hooked = probes.hooked.slice(0, probes.hooked.length - nodes.length);
    }),
    each<RethookNode>('each pool', (_, { nodes }) => nodes, takeNode, [
      step('give it back to its pool', (k, { node }) => rethookRecycle(k, node.rethook)),
    ]),
  ];
}

/** __rethook_find_ret_addr(): the newest nodes up to the one with a real return address; none: BUG(). */
function nodesOfReturn(k: ProbeView): RethookNode[] {
  const trampoline = toHex(addressOf(k, 'arch_rethook_trampoline'));
  const oldest = k.probes.hooked.findLastIndex(({ retAddr }) => retAddr !== trampoline);
  return oldest < 0 ? [] : k.probes.hooked.slice(oldest).reverse();
}

function takeNode(locals: Return, node: RethookNode): void {
  locals.node = node;
}

function isKretprobe({ probes }: ProbeView, user: ProbeId): user is KretprobeId {
  return probes.kretprobes[user as KretprobeId] !== undefined;
}

/**
 * kretprobe_rethook_handler() sets `current_kprobe`: an interrupt in the handler calls no kprobe. fprobe_exit_handler()
 * returns if it is recursive.
 */
function enterHandler(k: ProbeWorld, locals: Return): void {
  const user = userOf(k, locals.node.rethook);
  if (isKretprobe(k, user)) k.current.kprobe = true;
  else if (isRecursive(k, TRACE_FTRACE_START)) {
    fprobeInMemory(k, user, 'fprobe_exit_handler').nmissed++;
    locals.handled = false;
  }
}

/** Whether the handler is kretprobe_dispatcher(). */
function isOfEvent(k: ProbeView, { node, handled }: Pick<Return, 'node' | 'handled'>): boolean {
  return handled && k.probes.kretprobes[userOf(k, node.rethook) as KretprobeId]?.event !== undefined;
}

/** regs_return_value(). */
function returned(cpu: Cpu): string {
  return toHex(cpu.read(plus(cpu.register(RDI), PT_REGS.RAX)));
}

/** The handler, if the pool has one; what it calls is called in the middle of it. */
function callHandler(k: ProbeWorld, { cpu, node, handled }: Return): void {
  if (!handled) return;
  const user = userOf(k, node.rethook);
  const { fn, data: found = '' } = node;
  const ret = returned(cpu);
  if (isOfEvent(k, { node, handled })) return;
  if (isKretprobe(k, user)) {
    cpu.events.push({ kind: 'kretprobe', who: user, fn, ret });
    k.current.kprobe = false;
    return;
  }
  const bit = takeBit(k, TRACE_FTRACE_START);
  fprobeExit(k, cpu, user, { fn, ret, found });
  clearBit(k, bit);
}
