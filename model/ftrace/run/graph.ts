import type { GraphOpsId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { item, last } from '../../core/present.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_FTRACE_START } from '../../task/recursion.ts';
import { ENTRYFUNC, hasFrameRoom, popFrame, subopsOf } from '../fgraph.ts';
import { matches } from '../ops.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { hasDirect } from './direct.ts';
import { callbackOf, idxOf, readDirectGops } from './direct-gops.ts';
import { fprobeFgraphEntry } from './fprobes-on-graph.ts';
import type { GraphEntry } from './graph-entry.ts';
import { clientEntry, hookReturn, isRefused, pushFrame, whenRoom } from './graph-entry.ts';
import { functionGraphEnter } from './graph-single.ts';
import { gopsInMemory } from './in-memory.ts';
import { frameOfCall } from './kretprobes-on-graph.ts';
import type { AtSite } from './regs.ts';

/*
 * The entry of a call that function graph follows: ftrace_graph_func() and function_graph_enter_regs(). No lock
 * is held; each read of `fgraph_array`, of a user and of its filter is a step of its own, between which users may
 * come and go.
 */

const ENTER = 'function_graph_enter_regs';

/**
 * ftrace_graph_func(), prepare_ftrace_return(): if a user wants the return, the caller's return address is replaced.
 * ftrace_test_recursion_trylock() guards all of it and disables preemption, since 6.14 in function_graph_enter_regs().
 */
export const ftraceGraphFunc = routine<ProbeWorld, AtSite, AtSite & Guarded>('ftrace_graph_func', (words) => {
  const { finish, when, call } = words;
  return [
    finish('a direct call is skipped', (k, { hit }) => {
      const { graphSkipsDirectSites } = profileNamed(k.profile);
      return graphSkipsDirectSites && hasDirect(k, hit.ip);
    }),
    finish('the tracer has stopped itself', (k) => k.fgraph.stopped),
    ...guarded(words, TRACE_FTRACE_START, [
      when(
        'one user at a time',
        (k) => profileNamed(k.profile).fgraph === 'single',
        [call(functionGraphEnter, (_, { cpu, hit }) => ({ cpu, hit }))],
        [call(functionGraphEnterRegs, (_, { cpu, hit }) => ({ cpu, hit }))],
      ),
    ]),
  ];
});

/**
 * function_graph_enter_regs() (6.11 and later): entryfunc of every user is called, in the order of the indices. Bit 0 is set in
 * each frame that is kept, whether or not the user with index 0 has accepted.
 */
const functionGraphEnterRegs = routine<ProbeWorld, AtSite, GraphEntry>(ENTER, (words) => {
  const { step, when } = words;
  return [
    whenRoom(words, (k, locals) => isOpen(k, locals) || hasFrameRoom(k), [
      step('push the frame', (k, locals) => {
        locals.joins = isOpen(k, locals);
        if (!locals.joins) pushFrame(k, locals);
        locals.accepted = 0;
      }),
      ...askUsers(words),
      when(
        'all refuse',
        isRefused,
        [when('it is its own', (_, { joins }) => !joins, [step('pop the frame', popFrame)])],
        [
          step('mark those that accepted', (k, locals) => {
            last(k.fgraph.retStack).bitmap = locals.accepted | 1;
          }),
          step('hook the return', hookReturn),
        ],
      ),
    ]),
  ];
});

/**
 * The single user is called by a static call, without a test of its filter: `graph_ops` has the same one. Its bit comes
 * from a second load of `fgraph_direct_gops`: another user, or the stub with index 0, may be there by then.
 */
function askUsers(words: RoutineWords<ProbeWorld, GraphEntry>): Part[] {
  const { step, when, each } = words;
  return [
    when(
      'there is one user',
      (k) => k.fgraph.doDirect,
      [
        step('read fgraph_direct_gops', readDirectGops),
        step('call fgraph_func', (k, locals) => {
          locals.only = true;
          askUser(k, locals, k.fgraph.directEntryfunc);
        }),
        ...askItself(words),
        when('it accepts', (_, { accepts }) => accepts, [
          step('read fgraph_direct_gops again', readDirectGops),
          step('take the bit of its index', (k, locals) => {
            locals.accepted = 1 << idxOf(k, locals, ENTER);
          }),
        ]),
      ],
      [
        each<number>('a user', usedSlots, takeSlot, [
          step('read its slot', (k, locals) => {
            locals.user = item(k.fgraph.array, locals.slot);
          }),
          step('ask the user', (k, locals) => {
            locals.only = false;
            askUser(k, locals, isAsked(k, locals) ? locals.user : '');
          }),
          ...askItself(words),
        ]),
      ],
    ),
  ];
}

/** A user whose entry callback is a routine: it wants the return if it has kept data for the call. */
function askItself({ when, call, upcall }: RoutineWords<ProbeWorld, GraphEntry>): Part[] {
  const keeps = (k: ProbeWorld, locals: GraphEntry) =>
    answered(k, locals, last(k.fgraph.retStack).data[locals.idx] !== undefined);
  return [
    when('it is that of the fprobes', (_, { asks }) => asks === 'fprobe', [
      call(fprobeFgraphEntry, (_, { cpu, hit, idx }) => ({ cpu, hit, idx }), keeps),
    ]),
    when('it is above ftrace', (_, { asks }) => asks === 'above', [
      upcall(ENTRYFUNC, (_, { cpu, hit, idx, user }) => ({ cpu, hit, idx, user }), keeps),
    ]),
  ];
}

/** A kretprobe has made a frame for this call (`kretprobe = ret_stack`). */
function isOpen(k: ProbeView, locals: GraphEntry): boolean {
  return k.fgraph.retStack.at(-1)?.kretprobes?.first === true && frameOfCall(k, locals) !== undefined;
}

/** `for_each_set_bit(i, &fgraph_array_bitmask)`, read once. */
function usedSlots({ fgraph }: ProbeView): number[] {
  return fgraph.array.flatMap((name, slot) => (name === '' ? [] : [slot]));
}

function takeSlot(locals: GraphEntry, slot: number): void {
  locals.slot = slot;
}

/** A slot of the array: the stub, and a user that does not trace the function, are skipped. */
function isAsked(k: ProbeView, { user, hit }: GraphEntry): boolean {
  if (user === '') return false;
  gopsInMemory(k, user, ENTER);
  return matches(k, subopsOf(user), hit.ip);
}

/** Calls entryfunc of a user with the one that was read. That of the stub refuses. */
function askUser(k: ProbeWorld, locals: GraphEntry, entryfunc: GraphOpsId): void {
  locals.asks = '';
  locals.accepts = false;
  if (entryfunc === '') return;
  locals.idx = idxOf(k, locals, ENTER);
  locals.before = k.fgraph.used;
  const kind = callbackOf(k, locals, entryfunc);
  if (kind === 'client') answered(k, locals, clientEntry(k, locals, entryfunc));
  else locals.asks = kind;
}

/**
 * The words that a user has reserved are dropped when it refuses. The bit of one that accepts is that of its slot; the
 * single user has no slot.
 */
function answered({ fgraph }: ProbeWorld, locals: GraphEntry, accepts: boolean): void {
  locals.accepts = accepts;
  if (!accepts) fgraph.used = locals.before;
  else if (!locals.only) locals.accepted |= 1 << locals.slot;
}
