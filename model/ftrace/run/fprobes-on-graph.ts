import type { FprobeId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import { entry, last } from '../../core/present.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { withoutPreemption } from '../../task/current.ts';
import type { Cpu } from '../../text/cpu.ts';
import type { RetStackFrame } from '../fgraph.ts';
import { fgraphReserveData } from '../fgraph.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { isFprobeRegistered } from '../probes.ts';
import { fprobeEntry, fprobeExit, nodesOf, readFprobe, takeNodeOf } from './fprobes.ts';
import { fprobeInMemory } from './in-memory.ts';
import type { SharedWithKprobes } from './kprobe-busy.ts';
import { asKprobe } from './kprobe-busy.ts';
import { enterProgram } from './kprobe-multi.ts';
import type { AtSite } from './regs.ts';

/*
 * Fprobes as a user of function graph (6.14 and later), kernel/trace/fprobe.c. What the entry keeps for the
 * return is on the shadow stack, in the words that fgraph_reserve_data() gives to this user:
 *
 * ```text
 *   header of fprobe#2    pointer and size of its data      one word
 *   data of fprobe#2      entry_data_size, in whole words
 *   header of fprobe#1    ...
 * ```
 *
 * An fprobe whose entry handler refuses the return has no header. The pointer in a header is compared with the
 * registered fprobes at the return, and not dereferenced before.
 */

/** `FPROBE_HEADER_SIZE_IN_LONG`: the pointer to the fprobe and the size of its data, encoded in one. */
const HEADER_WORDS = 1;
const WORD_BYTES = 8;

/** The arguments of `fprobe_graph_ops.entryfunc`. */
interface EntryArgs extends AtSite {
  /** Index of the user. */
  readonly idx: number;
}

interface Entering extends EntryArgs, SharedWithKprobes {
  /** Whether these words could be reserved, and how many of them are in use. */
  fits: boolean;
  words: number;
  used: number;
  node: string;
  fprobe: FprobeId;
  /** The fprobes that want the return, and what they wrote to their entry data. */
  wanting: string[];
  left: Record<FprobeId, string>;
}

/**
 * fprobe_fgraph_entry(): reserves words for all fprobes of the function that have an exit handler, then calls
 * their entry handlers. The list is walked twice; it may differ the second time. The call is followed if any of
 * them wants the return.
 */
export const fprobeFgraphEntry = routine<ProbeWorld, EntryArgs, Entering>('fprobe_fgraph_entry', (words) => {
  const { step, when, each } = words;
  return withoutPreemption(words, [
    step('reserve the words', reserveRoom),
    when('there is space', (_, { fits }) => fits, [
      each<string>('a node', (k, { hit }) => nodesOf(k, hit.ip), takeNodeOf, [
        step('read its fprobe', readFprobe),
        ...asKprobe(
          words,
          calledAtEntry,
          [enterProgram(words, 'entry', calledAtEntry), step('call the entry handler', callEntry)],
          // As if the handler had answered 0: the exit handler runs.
          [step('follow the call all the same', (k, locals) => follow(k, locals, locals.fprobe))],
        ),
      ]),
      step('note which want the return', noteWanting),
    ]),
  ]);
});

/** The first walk: sizes. Without space every one of them counts the call as missed. */
function reserveRoom(k: ProbeWorld, locals: Entering): void {
  const names = nodesOf(k, locals.hit.ip).filter((name) => k.probes.fprobes[name]?.exit === true);
  locals.words = names.reduce((sum, name) => sum + wordsOf(k, name), 0);
  locals.used = 0;
  locals.wanting = [];
  locals.left = {};
  locals.fits = locals.words === 0 || fgraphReserveData(k, locals.words);
  if (!locals.fits) for (const name of names) entry(k.probes.fprobes, name).nmissed++;
}

/** Its header and its entry data, in whole words. */
function wordsOf(k: ProbeView, name: FprobeId): number {
  const { entryDataSize } = fprobeInMemory(k, name, 'fprobe_fgraph_entry');
  return HEADER_WORDS + Math.ceil(entryDataSize / WORD_BYTES);
}

/** Nonzero from fprobe_fgraph_entry(): the bit of the user is set, and the frame keeps the headers. */
function noteWanting({ fgraph }: ProbeWorld, { idx, words, wanting, left }: Entering): void {
  if (wanting.length === 0) return;
  const entryData = Object.keys(left).length > 0 ? { entryData: left } : {};
  last(fgraph.retStack).data[idx] = { words, value: wanting, ...entryData };
}

/** The fprobe whose entry handler is called; empty: none. */
function calledAtEntry(k: ProbeView, locals: Entering): FprobeId {
  const name = locals.fprobe;
  if (name === '' || !fprobeInMemory(k, name, 'fprobe_fgraph_entry').exit) return '';
  return locals.used + wordsOf(k, name) > locals.words ? '' : name;
}

/** The second walk. An fprobe that joined since has no words reserved, and misses the call. */
function callEntry(k: ProbeWorld, locals: Entering): void {
  const name = calledAtEntry(k, locals);
  if (name === '') {
    const found = k.probes.fprobes[locals.fprobe];
    if (found?.exit === true) found.nmissed++;
    return;
  }
  const { refused, left } = fprobeEntry(k, locals, name);
  if (refused) return;
  follow(k, locals, name);
  if (left !== '') locals.left = { ...locals.left, [name]: left };
}

/** write_fprobe_header(): the exit handler will run. */
function follow(k: ProbeView, locals: Entering, name: FprobeId): void {
  locals.used += wordsOf(k, name);
  locals.wanting = [...locals.wanting, name];
}

/** The arguments of `fprobe_graph_ops.retfunc`. */
interface ReturnArgs {
  readonly cpu: Cpu;
  readonly idx: number;
  readonly frame: RetStackFrame;
  readonly ret: string;
}

interface Returning extends ReturnArgs {
  node: string;
  fprobe: FprobeId;
}

/**
 * fprobe_return(): the exit handlers of the fprobes in the headers, if they are still registered.
 * fprobe_registered() compares pointers: an fprobe registered again at the same address is taken for the
 * former one.
 */
export const fprobeReturn = routine<ProbeWorld, ReturnArgs, Returning>('fprobe_return', (words) => {
  const { step, when, each } = words;
  return [
    when(
      'none was noted',
      (_, { frame, idx }) => frame.data[idx] === undefined,
      [step('warn', (k) => warn(k, { is: 'unwanted return' }))],
      withoutPreemption(words, [
        each<string>('a header', (_, { frame, idx }) => entry(frame.data, idx).value, takeNodeOf, [
          step('check whether it is registered', (k, locals) => {
            locals.fprobe = isFprobeRegistered(k, locals.node) ? locals.node : '';
          }),
          enterProgram(words, 'exit', (_, { fprobe }) => fprobe),
          step('call the exit handler', callExit),
        ]),
      ]),
    ),
  ];
});

/** `fp->exit_handler` is not compared with NULL: an fprobe registered again without one is a crash. */
function callExit(k: ProbeWorld, { cpu, idx, frame, fprobe: name, ret }: Returning): void {
  if (name === '') return;
  if (!fprobeInMemory(k, name, 'fprobe_return').exit)
    throw new Oops({ is: 'fprobe without exit handler', fprobe: name });
  const found = entry(frame.data, idx).entryData?.[name] ?? '';
  fprobeExit(k, cpu, name, { fn: frame.func, ret, found });
}
