import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { Words } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import { addressOf } from '../../text/space.ts';
import { toHex } from '../../x86/word.ts';
import { shadowStackMax, subopsOf } from '../fgraph.ts';
import { matches } from '../ops.ts';
import type { ProbeWorld } from '../probes.ts';
import { hasDirect } from './direct.ts';
import { fprobeFgraphEntry } from './fprobes-on-graph.ts';
import { gopsInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { parentSlot } from './regs.ts';

interface Entry extends AtSite {
  /** The user that is being asked: its bit, its name; empty: nobody; and its own index, which is its bit. */
  slot?: number;
  user?: string;
  idx?: number;
  /** The user is that of the fprobes, which are to be asked. */
  fprobes?: boolean;
  /** Words of the shadow stack in use before it was asked. */
  before?: number;
  /** The indices of those that have accepted. */
  accepted?: number;
}

/** ftrace_graph_func(), prepare_ftrace_return(): if anybody wants the return, the caller's return address is replaced. */
export const ftraceGraphFunc = routine<ProbeWorld, Entry>('ftrace_graph_func', (words) => {
  const { finish, when, call } = words;
  return [
    finish('a direct call is passed over', (k, { hit }) => {
      const { graphSkipsDirectSites } = profileNamed(k.profile);
      return graphSkipsDirectSites && hasDirect(k, hit.ip);
    }),
    finish('the tracer has stopped itself', (k) => k.fgraph.stopped),
    ...withoutPreemption(words, [
      when(
        'one user at a time',
        (k) => profileNamed(k.profile).fgraph === 'single',
        [call(functionGraphEnter, (_, { cpu, hit }) => ({ cpu, hit }))],
        [call(functionGraphEnterRegs, (_, { cpu, hit }) => ({ cpu, hit }))],
      ),
    ]),
  ];
});

/** function_graph_enter() until 6.10. */
const functionGraphEnter = routine<ProbeWorld, Entry>('function_graph_enter', (words) => {
  const { step, when } = words;
  return [
    whenRoom(words, (k) => k.fgraph.retStack.length < profileNamed(k.profile).retfuncDepth, [
      step('push the frame', pushFrame),
      step('read ftrace_graph_entry', readDirectGops),
      step('ask the user', (k, at) => {
        at.accepted = at.user !== '' && clientEntry(k, at) ? 1 : 0;
      }),
      when('it refuses', isRefused, [step('pop the frame', popFrame)], [step('hook the return', hookReturn)]),
    ]),
  ];
});

/** function_graph_enter_regs(): each user is asked, in the order of the indices. Bit 0 is set whoever accepted. */
const functionGraphEnterRegs = routine<ProbeWorld, Entry>('function_graph_enter_regs', (words) => {
  const { step, when } = words;
  return [
    whenRoom(words, hasRoom, [
      step('push the frame', (k, at) => {
        pushFrame(k, at);
        k.fgraph.used += profileNamed(k.profile).fgraphFrameWords + 1;
        at.accepted = 0;
      }),
      ...askUsers(words),
      when(
        'all refuse',
        isRefused,
        [step('pop the frame', popFrame)],
        [
          step('mark those that accepted', (k, at) => {
            k.fgraph.retStack.at(-1)!.bitmap = at.accepted! | 1;
          }),
          step('hook the return', hookReturn),
        ],
      ),
    ]),
  ];
});

/** The only user is called without a look at its filter: it is the manager's. */
function askUsers(words: Words<ProbeWorld, Entry>): Part[] {
  const { step, when, each } = words;
  return [
    when(
      'there is one user',
      (k) => k.fgraph.doDirect,
      [
        step('read fgraph_direct_gops', readDirectGops),
        step('ask the only user', (k, at) => askUser(k, at, true)),
        ...askFprobes(words),
      ],
      [
        each<number>('a user', usedSlots, takeSlot, [
          step('read its slot', (k, at) => {
            at.user = k.fgraph.array[at.slot!]!;
          }),
          step('ask the user', (k, at) => askUser(k, at, false)),
          ...askFprobes(words),
        ]),
      ],
    ),
  ];
}

/** fprobe_fgraph_entry() has its frames for itself. If it refuses, nothing is kept of what it reserved. */
function askFprobes({ when, call }: Words<ProbeWorld, Entry>): Part[] {
  return [
    when('it is that of the fprobes', (_, { fprobes }) => fprobes!, [
      call(
        fprobeFgraphEntry,
        (_, { cpu, hit, idx }) => ({ cpu, hit, idx: idx! }),
        (k, at) => answered(k, at, k.fgraph.retStack.at(-1)!.data[at.idx!] !== undefined),
      ),
    ]),
  ];
}

/** ftrace_push_return_trace(): without room for another frame the call is not followed. */
function whenRoom(
  { when, step }: Words<ProbeWorld, Entry>,
  room: (k: ProbeWorld) => boolean,
  parts: readonly Part[],
): Part {
  return when('there is room', room, parts, [
    step('count the overrun', (k) => {
      k.fgraph.overrun++;
    }),
  ]);
}

function hasRoom(k: ProbeWorld): boolean {
  return k.fgraph.used + profileNamed(k.profile).fgraphFrameWords + 1 < shadowStackMax(k);
}

function pushFrame(k: ProbeWorld, at: Entry): void {
  const slot = parentSlot(at);
  k.fgraph.retStack.push({
    ret: toHex(at.cpu.read(slot)),
    func: at.hit.ip,
    retp: toHex(slot),
    bitmap: 0,
    below: k.fgraph.used,
    data: {},
  });
}

/** Takes the innermost frame off the stack, and what users reserved behind it. */
export function popFrame({ fgraph }: ProbeWorld): void {
  fgraph.used = fgraph.retStack.pop()!.below;
}

function isRefused(_: ProbeWorld, { accepted }: Entry): boolean {
  return accepted === 0;
}

function hookReturn(k: ProbeWorld, at: Entry): void {
  at.cpu.write(parentSlot(at), addressOf(k, 'return_to_handler'));
}

function readDirectGops(k: ProbeWorld, at: Entry): void {
  at.user = k.fgraph.directGops;
}

/** `fgraph_array_bitmask`. */
function usedSlots({ fgraph }: ProbeWorld): number[] {
  return fgraph.array.flatMap((name, slot) => (name === '' ? [] : [slot]));
}

function takeSlot(at: Entry, slot: number): void {
  at.slot = slot;
}

/** A user of the name; empty: nobody, who refuses. */
function askUser(k: ProbeWorld, at: Entry, only: boolean): void {
  at.fprobes = false;
  if (at.user === '') return;
  const { idx, kind } = gopsInMemory(k, at.user!, 'function_graph_enter_regs');
  if (!only && !matches(k, subopsOf(at.user!), at.hit.ip)) return;
  at.idx = idx;
  if (only) at.slot = idx;
  at.before = k.fgraph.used;
  if (kind === 'fprobe') at.fprobes = true;
  else answered(k, at, clientEntry(k, at));
}

/** A user that refuses keeps nothing of what it reserved. */
function answered({ fgraph }: ProbeWorld, at: Entry, accepts: boolean): void {
  if (accepts) at.accepted! |= 1 << at.slot!;
  else fgraph.used = at.before!;
}

function clientEntry(k: ProbeWorld, { cpu, hit, user }: Entry): boolean {
  if (gopsInMemory(k, user!, 'function_graph_enter').refuses.includes(hit.ip)) return false;
  cpu.events.push({ kind: 'graph entry', who: user!, fn: hit.ip });
  return true;
}
