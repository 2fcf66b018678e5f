import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import { item } from '../../../model/core/present.ts';
import type { Profile } from '../../../model/core/profile.ts';
import { PROFILES, profileNamed } from '../../../model/core/profile.ts';
import { FGRAPH_ARRAY_SIZE, subopsOf } from '../../../model/ftrace/fgraph.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf } from '../../../properties/observed/sample-call.ts';
import type { AttachCase } from '../attach-case.ts';
import { links, programLoads } from './programs.ts';
import type { Weighed } from './weighed.ts';
import { actions, named, rarely, weighed } from './weighed.ts';

/*
 * Kernels at a limit, which random calls alone seldom reach: the shadow stack holds two calls, one index of function
 * graph is free, the users of a manager differ in what they trace, a trampoline takes three programs, kprobes have jumps.
 */

/** What sequences of a search begin with. */
export interface Beginning {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  /** The first actions of every sequence. */
  readonly first: readonly Action[];
  /** Drawn beside the others. */
  readonly more: readonly Weighed[];
}

/** One list of functions in this many, from the fifth on, begins at a limit: at each of them in turn. */
const ONE_IN = 5;
const FIRST = 4;

/** A kernel that has just booted. */
export type Start = Pick<AttachCase, 'profile' | 'functions'>;

const LIMITS: readonly ((start: Start, turn: number) => Beginning)[] = [
  fullShadowStack,
  lastGraphUser,
  differingUsers,
  fullTrampoline,
];

/** One list in this many has kprobes with jumps. */
const JUMPS_IN = 10;
const FIRST_JUMPS = 6;

/** The beginning of the sequences on the `n`-th list of functions; undefined: a kernel that has just booted. */
export function limitOf(n: number, start: Start): Beginning | undefined {
  if (n % JUMPS_IN === FIRST_JUMPS) return kprobesWithJumps(start);
  if (n % ONE_IN !== FIRST) return undefined;
  const count = (n - FIRST) / ONE_IN;
  return item(LIMITS, count % LIMITS.length)(start, Math.floor(count / LIMITS.length));
}

/**
 * A call within two others finds the shadow stack full; where two frames would take its last word, a call within
 * another does.
 */
function fullShadowStack({ profile, functions }: Start, turn: number): Beginning {
  const rec = functions.find(({ nesting }) => nesting === 'rec') ?? recursing(functions.length + 1);
  return {
    profile: withLess(profile, twoFrames(profileNamed(profile), item(WORDS_LEFT, turn % WORDS_LEFT.length))),
    functions: functions.includes(rec) ? functions : [...functions, rec],
    first: [registered(1)],
    more: [
      weighed(
        25,
        fc.integer({ min: 1, max: 3 }).map((depth) => callOf(rec, depth)),
      ),
    ],
  };
}

function recursing(id: number): TracedFunction {
  return tracedFunction('rec', id, 'u64 -> u64');
}

/** Only of a kernel as it is: another one may have a capacity of its own already. */
function withLess(profile: string, capacity: string): string {
  return Object.keys(PROFILES).includes(profile) ? `${profile}, ${capacity}` : profile;
}

/** Words beyond two frames: for data of a user with them, and for none. */
const WORDS_LEFT = [2, 0, 1];

function twoFrames({ fgraph, fgraphFrameWords }: Profile, left: number): string {
  const words = FGRAPH_ARRAY_SIZE + 3 * (fgraphFrameWords + 1) + left;
  return fgraph === 'single' ? 'retfuncDepth = 2' : `shadowStackWords = ${words}`;
}

/** All indices of function graph but one are taken; where there is a single user, that one is there. */
function lastGraphUser({ profile, functions }: Start): Beginning {
  const [from, to] = profileNamed(profile).fgraph === 'single' ? [1, 1] : [2, FGRAPH_ARRAY_SIZE];
  const first = Array.from({ length: to - from + 1 }, (_, i) => registered(from + i));
  return { profile, functions, first, more: [] };
}

/**
 * Each of two ops, and of two users of function graph, leaves out another function; of the fprobes one follows the
 * returns of a function, and two see its entry or that of another.
 */
function differingUsers({ profile, functions }: Start): Beginning {
  const { fgraph, fprobe } = profileNamed(profile);
  const names = functions.flatMap(({ name, bpf }) => (bpf ? [] : [name]));
  const ends = [item(names, 0), item(names, names.length - 1)];
  const users = fgraph === 'single' ? [] : ends;
  return {
    profile,
    functions,
    first: [
      ...ends.flatMap((fn, i): Action[] => [
        { do: 'ftrace_ops', ops: `ops#${i + 1}`, flags: 0, direct: false },
        leftOut(`ops#${i + 1}`, fn),
        { do: 'register_ftrace_function', ops: `ops#${i + 1}` },
      ]),
      ...users.flatMap((fn, i) => [leftOut(subopsOf(gops(i + 1)), fn), registered(i + 1)]),
      ...(fprobe === 'none'
        ? []
        : [followed(1, ends[0]!, true), ...ends.map((fn, i) => followed(i + 2, fn, false))]),
    ],
    more: fprobe === 'none' ? [] : [leaving(25)],
  };
}

/** A trampoline takes three programs; where a link has many functions, more of those are drawn. */
function fullTrampoline({ profile, functions }: Start): Beginning {
  const kernel = profileNamed(profile);
  const names = functions.flatMap(({ name, bpf }) => (bpf ? [] : [name]));
  return {
    profile: withLess(profile, 'linksMax = 3'),
    functions,
    first: [],
    more: [
      weighed(40, programLoads(kernel, functions)),
      weighed(60, links(kernel, functions, fc.subarray(names, { minLength: 1 }))),
    ],
  };
}

/** Kprobes in the body of one function, which get jumps; they join, leave and get in each other's way. */
function kprobesWithJumps({ profile, functions }: Start): Beginning {
  const traced = functions.find(({ bpf }) => !bpf) ?? item(functions, 0);
  const kprobe = named('kprobe', 3);
  return {
    profile,
    functions,
    first: [{ do: 'debug.kprobes-optimization', value: true }],
    more: [
      actions(60, 'register_kprobe', {
        kprobe,
        ip: fc.constant(traced.name),
        offset: fc.constantFrom(9, 10, 13, 14, 17),
        post: rarely,
        disabled: rarely,
      }),
      actions(15, 'unregister_kprobe', { kprobe }),
      actions(10, 'disable_kprobe', { kp: kprobe }),
      actions(10, 'enable_kprobe', { kp: kprobe }),
      actions(8, 'debug.kprobes-optimization', { value: fc.boolean() }),
    ],
  };
}

function followed(n: number, ip: FunctionName, exit: boolean): Action {
  return { do: 'register_fprobe_ips', fprobe: `fprobe#${n}`, ips: [ip], entry: !exit, exit };
}

function leaving(weight: number): Weighed {
  return actions(weight, 'unregister_fprobe', { fprobe: named('fprobe', 3) });
}

function leftOut(ops: string, ip: FunctionName): Action {
  return { do: 'ftrace_set_notrace', ops, ip, reset: false };
}

function registered(n: number): Action {
  return { do: 'register_ftrace_graph', gops: gops(n) };
}

function gops(n: number): string {
  return `gops#${n}`;
}
