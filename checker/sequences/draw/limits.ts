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
import type { Weighed } from './weighed.ts';
import { weighed } from './weighed.ts';

/*
 * Kernels at a limit, which random calls alone seldom reach: the shadow stack holds two calls, one index of function
 * graph is free, notrace hashes differ among the users of a manager.
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

/** One list of functions in this many, from the sixth on, begins at a limit: at each of the three in turn. */
const ONE_IN = 7;
const FIRST = 5;

const LIMITS: readonly ((start: Pick<AttachCase, 'profile' | 'functions'>) => Beginning)[] = [
  fullShadowStack,
  lastGraphUser,
  differingNotrace,
];

/** The beginning of the sequences on the `n`-th list of functions; undefined: a kernel that has just booted. */
export function limitOf(n: number, start: Pick<AttachCase, 'profile' | 'functions'>): Beginning | undefined {
  if (n % ONE_IN !== FIRST) return undefined;
  return item(LIMITS, ((n - FIRST) / ONE_IN) % LIMITS.length)(start);
}

/** A call within two others finds the shadow stack full. */
function fullShadowStack({ profile, functions }: Pick<AttachCase, 'profile' | 'functions'>): Beginning {
  const rec = functions.find(({ nesting }) => nesting === 'rec') ?? recursing(functions.length + 1);
  return {
    profile: withTwoFrames(profile),
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
function withTwoFrames(profile: string): string {
  const kernel = Object.keys(PROFILES).find((name) => name === profile);
  return kernel === undefined ? profile : `${profile}, ${capacity(profileNamed(profile))}`;
}

function capacity({ fgraph, fgraphFrameWords }: Profile): string {
  const frame = fgraphFrameWords + 1;
  return fgraph === 'single' ? 'retfuncDepth = 2' : `shadowStackWords = ${FGRAPH_ARRAY_SIZE + 3 * frame + 2}`;
}

/** All indices of function graph but one are taken; where there is a single user, that one is there. */
function lastGraphUser({ profile, functions }: Pick<AttachCase, 'profile' | 'functions'>): Beginning {
  const [from, to] = profileNamed(profile).fgraph === 'single' ? [1, 1] : [2, FGRAPH_ARRAY_SIZE];
  const first = Array.from({ length: to - from + 1 }, (_, i) => registered(from + i));
  return { profile, functions, first, more: [] };
}

/** Each of two ops, and of two users of function graph, leaves out another function. */
function differingNotrace({ profile, functions }: Pick<AttachCase, 'profile' | 'functions'>): Beginning {
  const names = functions.flatMap(({ name, bpf }) => (bpf ? [] : [name]));
  const [near = '', ...others] = names;
  const left = [near, others.at(-1) ?? near];
  const users = profileNamed(profile).fgraph === 'single' ? [] : left;
  return {
    profile,
    functions,
    first: [
      ...left.flatMap((fn, i): Action[] => [
        { do: 'ftrace_ops', ops: `ops#${i + 1}`, flags: 0, direct: false },
        leftOut(`ops#${i + 1}`, fn),
        { do: 'register_ftrace_function', ops: `ops#${i + 1}` },
      ]),
      ...users.flatMap((fn, i) => [leftOut(subopsOf(gops(i + 1)), fn), registered(i + 1)]),
    ],
    more: [],
  };
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
