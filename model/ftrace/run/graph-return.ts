import type { GraphOpsId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { item } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import { addressOf } from '../../text/space.ts';
import { RAX, RDI } from '../../x86/register.ts';
import { fromHex, plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';
import type { Gops } from '../fgraph.ts';
import { FGRAPH_ARRAY_SIZE, popFrame, RETFUNC } from '../fgraph.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { callbackOf, calledWith, idxOf, readDirectGops } from './direct-gops.ts';
import { fprobeReturn } from './fprobes-on-graph.ts';
import type { ReturnArgs, Telling } from './kretprobes-on-graph.ts';
import { tellKretprobes } from './kretprobes-on-graph.ts';

/*
 * The return of a followed call: return_to_handler calls ftrace_return_to_handler(), which finds the innermost
 * frame, calls the return handlers of the users whose bits are set, and answers the original return address.
 *
 * The frame is popped last: handlers may walk the shadow stack. A user that unregistered since then has the stub
 * in its slot; a user that took over the index sees a return whose entry it never saw.
 */

const RETURN = 'ftrace_return_to_handler';

/** The return between its steps: the frame that was found, and the user whose handler is next. */
interface Return extends Telling, Guarded {
  /** The user that is notified: its slot, and its name; empty: the stub. */
  slot: number;
  user: GraphOpsId;
  /** The bit of the only user. */
  isSet: boolean;
  /** The kind of a user whose return callback is a routine; empty: it has been called. */
  tells: Gops['kind'] | '';
  idx: number;
}

/**
 * ftrace_return_to_handler(). Without a frame the tracer stops itself (ftrace_graph_stop()) and returns to
 * panic(). 7.2 guards the handlers against recursion, and so runs them with preemption disabled.
 */
export const ftraceReturnToHandler = routine<ProbeWorld, ReturnArgs, Return>(RETURN, (words) => {
  const { step, when } = words;
  return [
    // The innermost frame: the returns of one task nest as its calls do.
    step('find the frame', (k, locals) => {
      const frame = k.fgraph.retStack.at(-1);
      if (frame !== undefined) locals.frame = frame;
      locals.ret = toHex(locals.cpu.read(plus(locals.cpu.register(RDI), PT_REGS.RAX)));
    }),
    when(
      'there is none',
      (_, locals) => !('frame' in locals),
      [step('stop the tracer', stopTracer)],
      [
        tellKretprobes(words, false),
        when(
          'it guards itself against recursion',
          (k) => profileNamed(k.profile).graphReturnGuarded,
          guarded(words, TRACE_FTRACE_START, tellUsers(words)),
          tellUsers(words),
        ),
        tellKretprobes(words, true),
        step('give the return address', (_, { cpu, frame }) => cpu.setRegister(RAX, fromHex(frame.ret))),
        // Last: a handler may walk the stack, or be interrupted by a traced call.
        step('pop the frame', popFrame),
      ],
    ),
  ];
});

/** ftrace_pop_return_trace() without a frame: ftrace_graph_stop(), WARN, and a return to panic(). */
function stopTracer(k: ProbeWorld, { cpu }: Return): void {
  k.fgraph.stopped = true;
  warn(k, { is: 'return not on the shadow stack' });
  cpu.setRegister(RAX, addressOf(k, 'panic'));
}

/** Until 6.10 one user, who accepted if there is a frame; since then direct mode, or the bits of the frame. */
function tellUsers(words: RoutineWords<ProbeWorld, Return>): Part[] {
  const { step, when, each } = words;
  return [
    when(
      'one user at a time',
      (k) => profileNamed(k.profile).fgraph === 'single',
      [step('read ftrace_graph_return', readDirectGops), step('call it', tellUserRead)],
      [
        when('there is one user', (k) => k.fgraph.doDirect, tellOnlyUser(words), [
          each<number>('a user', (_, { frame }) => slotsIn(frame.bitmap), takeSlot, [
            step('read its slot', (k, locals) => {
              locals.user = item(k.fgraph.array, locals.slot);
            }),
            step('tell the user', tellUserRead),
            ...tellItself(words),
          ]),
        ]),
      ],
    ),
  ];
}

/**
 * Direct mode: `fgraph_direct_gops` is read for its index, whose bit is tested, and again for the call. The stub has
 * index 0, whose bit is set in every frame.
 */
function tellOnlyUser(words: RoutineWords<ProbeWorld, Return>): Part[] {
  const { step, when } = words;
  return [
    step('read fgraph_direct_gops', readDirectGops),
    step('test the bit of its index', (k, locals) => {
      locals.isSet = (locals.frame.bitmap & (1 << idxOf(k, locals, RETURN))) !== 0;
    }),
    when('it is set', (_, { isSet }) => isSet, [
      step('read fgraph_direct_gops again', readDirectGops),
      step('call fgraph_retfunc', (k, locals) => tellUser(k, locals, k.fgraph.directRetfunc)),
      ...tellItself(words),
    ]),
  ];
}

/** `for_each_set_bit(i, &bitmap)`: the bitmap is read once, the slots one by one. */
function slotsIn(bitmap: number): number[] {
  const slots: number[] = [];
  for (let slot = 0; slot < FGRAPH_ARRAY_SIZE; slot++) if ((bitmap & (1 << slot)) !== 0) slots.push(slot);
  return slots;
}

/** The slot is read in the step after the bit was tested. */
function takeSlot(locals: Return, slot: number): void {
  locals.slot = slot;
}

/** `gops->retfunc` of the user that was read. */
function tellUserRead(k: ProbeView, locals: Return): void {
  tellUser(k, locals, locals.user);
}

/** Calls retfunc of a user with the one that was read. That of the stub does nothing. */
function tellUser(k: ProbeView, locals: Return, retfunc: GraphOpsId): void {
  locals.tells = '';
  if (retfunc === '') return;
  locals.idx = idxOf(k, locals, RETURN);
  const { cpu, frame, ret } = locals;
  const kind = callbackOf(k, locals, retfunc);
  if (kind === 'client')
    cpu.events.push({ kind: 'graph exit', ...calledWith(locals, retfunc), fn: frame.func, ret });
  else locals.tells = kind;
}

/** A user whose return callback is a routine. */
function tellItself({ when, call, upcall }: RoutineWords<ProbeWorld, Return>): Part[] {
  const give = (_: ProbeView, locals: Return) => ({
    cpu: locals.cpu,
    idx: locals.idx,
    frame: locals.frame,
    ret: locals.ret,
  });
  return [
    when('it is that of the fprobes', (_, { tells }) => tells === 'fprobe', [call(fprobeReturn, give)]),
    when('it is above ftrace', (_, { tells }) => tells === 'above', [
      upcall(RETFUNC, (k, locals) => ({ ...give(k, locals), user: locals.user })),
    ]),
  ];
}
