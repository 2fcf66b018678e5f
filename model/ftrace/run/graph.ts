import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { Words } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { addressOf } from '../../text/space.ts';
import { toHex } from '../../x86/word.ts';
import { shadowStackMax, subopsOf } from '../fgraph.ts';
import { matches } from '../ops.ts';
import type { ProbeWorld } from '../probes.ts';
import { fprobeEntry } from './fprobes.ts';
import type { Hit } from './regs.ts';
import { parentSlot } from './regs.ts';

/** Words of the header in front of what an fprobe keeps for its exit handler, and of what a session keeps. */
const HEADER_WORDS = 1;

interface Entry {
  readonly hit: Hit;
  /** The user that is being asked, and the indices of those that have accepted. */
  user?: string;
  accepted?: number;
}

/** ftrace_graph_func(): if anybody wants the return, the caller's return address is replaced. */
export const ftraceGraphFunc = routine<ProbeWorld, Entry>('ftrace_graph_func', ({ finish, when, call }) => [
  finish('a direct call is passed over', (k, { hit }) => {
    const { graphSkipsDirectSites } = profileNamed(k.profile);
    return graphSkipsDirectSites && k.ftrace.directFunctions[hit.ip] !== undefined;
  }),
  finish('the tracer has stopped itself', (k) => k.fgraph.stopped),
  when(
    'one user at a time',
    (k) => profileNamed(k.profile).fgraph === 'single',
    [call(functionGraphEnter, (_, { hit }) => ({ hit }))],
    [call(functionGraphEnterRegs, (_, { hit }) => ({ hit }))],
  ),
]);

/** function_graph_enter() until 6.10. */
const functionGraphEnter = routine<ProbeWorld, Entry>('function_graph_enter', (words) => {
  const { step, when } = words;
  return [
    whenRoom(words, (k) => k.fgraph.retStack.length < profileNamed(k.profile).retfuncDepth, [
      step('push the frame', pushFrame),
      step('ask the user', (k, at) => {
        const { directGops } = k.fgraph;
        at.accepted = directGops !== '' && clientEntry(k, at.hit, directGops) ? 1 : 0;
      }),
      when('it refuses', isRefused, [step('pop the frame', popFrame)], [step('hook the return', hookReturn)]),
    ]),
  ];
});

/** function_graph_enter_regs(): each user is asked, in the order of the indices. Bit 0 is set whoever accepted. */
const functionGraphEnterRegs = routine<ProbeWorld, Entry>('function_graph_enter_regs', (words) => {
  const { step, when, each } = words;
  return [
    whenRoom(words, hasRoom, [
      step('push the frame', (k, at) => {
        pushFrame(k, at);
        k.fgraph.used += profileNamed(k.profile).fgraphFrameWords + 1;
        at.accepted = 0;
      }),
      each<string>('a user', (k, { hit }) => askedUsers(k, hit.ip), takeUser, [
        step('ask the user', askUser),
      ]),
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

function pushFrame(k: ProbeWorld, { hit }: Entry): void {
  const slot = parentSlot(hit);
  k.fgraph.retStack.push({
    ret: toHex(hit.cpu.read(slot)),
    func: hit.ip,
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

function hookReturn(k: ProbeWorld, { hit }: Entry): void {
  hit.cpu.write(parentSlot(hit), addressOf(k, 'return_to_handler'));
}

function takeUser(at: Entry, user: string): void {
  at.user = user;
}

/** A user that refuses keeps nothing of what it reserved. */
function askUser(k: ProbeWorld, at: Entry): void {
  const { fgraph } = k;
  const { idx } = fgraph.gops[at.user!]!;
  const before = fgraph.used;
  if (entryOf(k, at.hit, at.user!)) {
    at.accepted! |= 1 << idx;
    return;
  }
  fgraph.used = before;
  delete fgraph.retStack.at(-1)!.data[idx];
}

/** The only user is called without a look at its filter: it is the manager's. */
function askedUsers(k: ProbeWorld, ip: string): string[] {
  const { doDirect, directGops, array } = k.fgraph;
  if (doDirect) return directGops === '' ? [] : [directGops];
  return array.filter((name) => name !== '' && matches(k, subopsOf(name), ip));
}

function entryOf(k: ProbeWorld, hit: Hit, name: string): boolean {
  return k.fgraph.gops[name]!.kind === 'fprobe' ? fprobeFgraphEntry(k, hit, name) : clientEntry(k, hit, name);
}

function clientEntry(k: ProbeWorld, hit: Hit, name: string): boolean {
  if (k.fgraph.gops[name]!.refuses.includes(hit.ip)) return false;
  hit.cpu.events.push({ kind: 'graph entry', who: name, fn: hit.ip });
  return true;
}

/**
 * fprobe_fgraph_entry(): room for all fprobes of the function that have an exit handler; then their entry handlers.
 * Those that want the return are noted for fprobe_return().
 */
function fprobeFgraphEntry(k: ProbeWorld, hit: Hit, gops: string): boolean {
  const names = (k.probes.fprobeTable[hit.ip] ?? []).filter((name) => k.probes.fprobes[name]!.exit);
  const words = names.reduce((sum, name) => sum + HEADER_WORDS + dataWords(k, name), 0);
  const { idx } = k.fgraph.gops[gops]!;
  if (words > 0 && !reserve(k, words)) {
    for (const name of names) k.probes.fprobes[name]!.nmissed++;
    return false;
  }
  const wanting = names.filter((name) => !fprobeEntry(k, hit, name));
  if (wanting.length === 0) return false;
  k.fgraph.retStack.at(-1)!.data[idx] = { words, value: wanting };
  return true;
}

/** A session keeps a word between its two halves. */
function dataWords(k: ProbeWorld, name: string): number {
  const { entry, exit, prog } = k.probes.fprobes[name]!;
  return entry && exit && prog > 0 ? 1 : 0;
}

/** fgraph_reserve_data(): at most 32 words, and one more that says whose they are. */
function reserve(k: ProbeWorld, words: number): boolean {
  if (words > 32 || k.fgraph.used + words + 1 >= shadowStackMax(k)) return false;
  k.fgraph.used += words + 1;
  return true;
}
