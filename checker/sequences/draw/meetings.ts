import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { filterOn } from '../../../model/client/ftrace-set-filter-ip.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { item } from '../../../model/core/present.ts';
import { profileNamed } from '../../../model/core/profile.ts';
import { subopsOf } from '../../../model/ftrace/fgraph.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { listedFunction, tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import { devices } from './devices.ts';
import type { Beginning, Start } from './limits.ts';
import { actions, named, weighed } from './weighed.ts';

/*
 * Clients of one mechanism that seldom meet among calls of all: devices with XDP programs, fprobes of both kinds on one
 * function, programs of a cgroup on one hook, users of function graph with different functions.
 */

/** One list of functions in this many, from the ninth on, has such clients: those of each mechanism in turn. */
const ONE_IN = 10;
const FIRST = 8;

const MEETINGS: readonly ((start: Start) => Beginning)[] = [onDevices, unlikeFprobes, onCgroup, graphUsers];

/** The beginning of the sequences on the `n`-th list of functions; undefined: clients of all mechanisms. */
export function meetingOf(n: number, start: Start): Beginning | undefined {
  if (n % ONE_IN !== FIRST) return undefined;
  return item(MEETINGS, ((n - FIRST) / ONE_IN) % MEETINGS.length)(start);
}

/** XDP programs come to some devices and go, and clients attach to the function of their dispatcher. */
function onDevices({ profile }: Start): Beginning {
  return { profile, functions: devices(2), first: [], more: [] };
}

/** Each of two functions has an fprobe that sees its entry and one that follows its returns; they leave in any order. */
function unlikeFprobes({ profile, functions }: Start): Beginning {
  if (profileNamed(profile).fprobe === 'none') return { profile, functions, first: [], more: [] };
  const enough = atLeast(2, functions);
  const ips = own(enough).slice(0, 2);
  return {
    profile,
    functions: enough,
    first: ips.flatMap((ip, i) => [seen(2 * i + 1, ip, false), seen(2 * i + 2, ip, true)]),
    more: [actions(80, 'unregister_fprobe', { fprobe: named('fprobe', 4) })],
  };
}

function seen(n: number, ip: FunctionName, exit: boolean): Action {
  return { do: 'register_fprobe_ips', fprobe: `fprobe#${n}`, ips: [ip], entry: !exit, exit };
}

/** Programs of a cgroup come to a hook and go, now and then before the work items of those before them. */
function onCgroup({ profile }: Start): Beginning {
  const hook = listedFunction(tracedFunction('hook', 1, 'ptr -> s32'), 'lsm');
  const progs: readonly ProgId[] = [1, 2];
  return {
    profile,
    functions: [hook],
    first: progs.map((id) => forCgroup(id, hook.name)),
    more: [
      weighed(
        60,
        fc.constantFrom(...progs).map((prog) => ({
          do: 'BPF_LINK_CREATE',
          link: `link#${prog}`,
          prog,
          targets: [],
        })),
      ),
      actions(60, 'close(link)', { link: named('link', progs.length) }),
      weighed(10, fc.constant({ do: 'settle' })),
    ],
  };
}

/** A program that allows, as 1 does for a cgroup. */
function forCgroup(id: ProgId, target: FunctionName): Action {
  return {
    do: 'BPF_PROG_LOAD',
    program: { ...plainProgram(id), kind: 'fmod_ret', lsm: true, cgroup: true, reads: 'direct' },
    target,
    probe: '',
    returns: fromNumber(1),
  };
}

/** Each of two users of function graph has a function of its own, and a third function has none. */
function graphUsers({ profile, functions }: Start): Beginning {
  if (profileNamed(profile).fgraph === 'single') return { profile, functions, first: [], more: [] };
  const enough = atLeast(3, functions);
  const users = [1, 2];
  return {
    profile,
    functions: enough,
    first: users.map((n) => filterOn(subopsOf(`gops#${n}`), item(own(enough), n - 1))),
    more: [
      actions(80, 'register_ftrace_graph', { gops: named('gops', users.length) }),
      actions(40, 'unregister_ftrace_graph', { gops: named('gops', users.length) }),
    ],
  };
}

/** Functions that have call sites of their own. */
function own(functions: readonly TracedFunction[]): readonly FunctionName[] {
  return functions.flatMap(({ name, bpf }) => (bpf ? [] : [name]));
}

const OTHERS = ['g1', 'g2', 'g3'];

/** With others after them, until there are that many call sites. */
function atLeast(count: number, functions: readonly TracedFunction[]): readonly TracedFunction[] {
  const missing = OTHERS.slice(0, Math.max(0, count - own(functions).length));
  return [
    ...functions,
    ...missing.map((name, i) => tracedFunction(name, functions.length + 1 + i, 'u64 -> u64')),
  ];
}
