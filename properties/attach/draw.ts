import fc from 'fast-check';
import type { Action } from '../../model/action.ts';
import { profileNamed } from '../../model/core/profile.ts';
import {
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS,
} from '../../model/ftrace/ops.ts';
import type { Kind, Program } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import { FAULTS } from './faults.ts';

/** The functions that a sequence is drawn for, each with those that it calls. */
const CATALOGUE: readonly (readonly TracedFunction[])[] = [
  [tracedFunction('f2', 2, 'u64 x2 -> u64')],
  [tracedFunction('f1', 1, 'u64 -> u64')],
  [tracedFunction('f6', 6, 'u64 x6 -> u64')],
  [tracedFunction('f7', 7, 'u64 x7 -> u64')],
  [tracedFunction('v3', 20, 'u64 x3 -> void')],
  [tracedFunction('m3', 21, 'u8, u16, u32 -> u32')],
  [tracedFunction('rec', 44, 'u64 -> u64')],
  [
    tracedFunction('cb', 43, 'u64 x2 -> u64'),
    tracedFunction('f1', 1, 'u64 -> u64'),
  ],
];

/** One to three functions, and those that they call. */
export const functionLists: fc.Arbitrary<readonly TracedFunction[]> = fc
  .subarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 1, maxLength: 3 })
  .map((picked) => {
    const all = picked.flatMap((i) => CATALOGUE[i]!);
    const distinct = all.filter((fn, i) => all.findIndex(({ name }) => name === fn.name) === i);
    return distinct.map((fn, id) => ({ ...fn, id: id + 1 }));
  });

const TRAMPS = ['my_tramp1', 'my_tramp2', 'my_tramp3'];
const FLAGS = [
  0,
  0,
  FTRACE_OPS_FL_SAVE_REGS,
  FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,
];

const named = (kind: string, count: number) =>
  fc.integer({ min: 1, max: count }).map((n) => `${kind}#${n}`);
const ops = named('ops', 3);
const direct = named('direct', 2);
const gops = named('gops', 3);
const addr = fc.constantFrom(...TRAMPS);
const rarely = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);
const halfTheTime = fc.boolean();

/** What a call passes: a value with something in every byte for each word. */
export function callOf(fn: TracedFunction, salt: number): Action {
  const registers: Word[] = Array.from({ length: 6 }, () => ZERO);
  const stack: Word[] = [];
  abiSlots(fn.signature).forEach(({ place }, i) => {
    const value = fn.nesting === 'rec' ? fromNumber(salt % 4) : argument(i, salt);
    (place.in === 'register' ? registers : stack)[place.index] = value;
  });
  for (let i = 0; i < stack.length; i++) stack[i] ??= ZERO;
  return { do: 'call', fn: fn.name, registers, stack };
}

function argument(i: number, salt: number): Word {
  return { hi: (0x51000000 + i * 0x01010101 + salt * 0x10203) | 0, lo: (0x71000000 + i * 0x01030507 + salt) | 0 };
}

/** Actions for these functions, each kind as often as its weight says. */
export function actionsFor(profile: string, functions: readonly TracedFunction[]): fc.Arbitrary<Action> {
  const { directApi, fgraph, fprobe, sessions } = profileNamed(profile);
  const ip = fc.constantFrom(...functions.map(({ name }) => name));
  const someIps = fc.subarray(
    functions.map(({ name }) => name),
    { minLength: 1 },
  );
  const fn = fc.constantFrom(...functions);
  const hash = fc.array(fc.tuple(ip, addr), { minLength: 0, maxLength: 2 }).map((pairs) => Object.fromEntries(pairs));
  const perIp = directApi === 'ip and multi' ? 2 : 0;
  const byHash = directApi === 'ops and hash' ? 2 : 0;
  const filtered = fgraph === 'multi' ? fc.oneof(ops, direct, gops.map((name) => `${name}.ops`)) : fc.oneof(ops, direct);
  return fc.oneof(
    weighed(26, fc.tuple(fn, fc.nat(7)).map(([f, salt]) => callOf(f, salt))),
    weighed(4, fc.record({ do: fc.constant('ftrace_ops' as const), ops, flags: fc.constantFrom(...FLAGS), direct: fc.constant(false) })),
    weighed(1, fc.record({ do: fc.constant('ftrace_ops' as const), ops: direct, flags: fc.constant(0), direct: fc.constant(true) })),
    weighed(
      8,
      fc.record({
        do: fc.constant('ftrace_set_filter_ip' as const),
        ops: filtered,
        ip: fc.oneof({ arbitrary: ip, weight: 30 }, { arbitrary: fc.constant('not_a_site'), weight: 1 }),
        remove: rarely,
        reset: rarely,
      }),
    ),
    weighed(1, fc.record({ do: fc.constant('ftrace_set_notrace' as const), ops, ip, reset: rarely })),
    weighed(1, fc.record({ do: fc.constant('ftrace_free_filter' as const), ops: fc.oneof(ops, direct) })),
    weighed(6, fc.record({ do: fc.constant('register_ftrace_function' as const), ops })),
    weighed(4, fc.record({ do: fc.constant('unregister_ftrace_function' as const), ops })),
    weighed(6, fc.record({ do: fc.constant('register_ftrace_direct' as const), ops: direct, addr })),
    weighed(3, fc.record({ do: fc.constant('modify_ftrace_direct' as const), ops: direct, addr })),
    weighed(4, fc.record({ do: fc.constant('unregister_ftrace_direct' as const), ops: direct, addr, freeFilters: directApi === 'ip and multi' ? fc.constant(false) : halfTheTime })),
    weighed(perIp, fc.record({ do: fc.constant('register_ftrace_direct(ip)' as const), ip, addr })),
    weighed(perIp, fc.record({ do: fc.constant('modify_ftrace_direct(ip)' as const), ip, oldAddr: addr, newAddr: addr })),
    weighed(perIp, fc.record({ do: fc.constant('unregister_ftrace_direct(ip)' as const), ip, addr })),
    weighed(byHash, fc.record({ do: fc.constant('update_ftrace_direct_add' as const), ops: fc.constant('direct#3'), hash })),
    weighed(byHash, fc.record({ do: fc.constant('update_ftrace_direct_mod' as const), ops: fc.constant('direct#3'), hash })),
    weighed(byHash, fc.record({ do: fc.constant('update_ftrace_direct_del' as const), ops: fc.constant('direct#3'), hash })),
    weighed(fgraph === 'single' ? 3 : 0, fc.record({ do: fc.constant('set_ftrace_filter' as const), ip, remove: rarely })),
    weighed(4, fc.record({ do: fc.constant('register_ftrace_graph' as const), gops })),
    weighed(3, fc.record({ do: fc.constant('unregister_ftrace_graph' as const), gops })),
    weighed(5, fc.record({ do: fc.constant('register_kprobe' as const), kprobe: named('kprobe', 3), ip, post: halfTheTime })),
    weighed(4, fc.record({ do: fc.constant('unregister_kprobe' as const), kprobe: named('kprobe', 3) })),
    weighed(
      3,
      fc.record({
        do: fc.constant('register_kretprobe' as const),
        kretprobe: named('kretprobe', 2),
        ip,
        maxactive: fc.constantFrom(1, 2, 0),
        entryHandler: halfTheTime,
      }),
    ),
    weighed(2, fc.record({ do: fc.constant('unregister_kretprobe' as const), kretprobe: named('kretprobe', 2) })),
    weighed(
      fprobe === 'none' ? 0 : 3,
      fc
        .record({
          do: fc.constant('register_fprobe_ips' as const),
          fprobe: named('fprobe', 2),
          ips: someIps,
          entry: halfTheTime,
          exit: halfTheTime,
        })
        .map((a) => ({ ...a, entry: a.entry || !a.exit })),
    ),
    weighed(fprobe === 'none' ? 0 : 2, fc.record({ do: fc.constant('unregister_fprobe' as const), fprobe: named('fprobe', 2) })),
    weighed(8, loads(functions, sessions)),
    weighed(8, fc.tuple(progs, someIps, fc.nat(3)).map(([prog, targets, n]) => linkOf(sessions, prog, targets, n))),
    weighed(1, progs.map((prog) => ({ do: 'BPF_RAW_TRACEPOINT_OPEN' as const, link: `link#${prog}`, prog }))),
    weighed(5, progs.map((prog) => ({ do: 'close(link)' as const, link: `link#${prog}` }))),
    weighed(2, progs.map((prog) => ({ do: 'close(prog)' as const, prog }))),
    weighed(1, fc.record({ do: fc.constant('kernel.ftrace_enabled' as const), value: halfTheTime })),
    weighed(3, fc.constant({ do: 'settle' as const })),
    weighed(2, fc.constantFrom(...FAULTS).map((fault) => ({ do: 'fail' as const, fault }))),
  );
}

/**
 * What a program is follows from its number, so that most links ask for what their program can do: the first four
 * have one function each, the fifth is for multi links where there are any, the last two are for kprobe.multi.
 */
const PROGS = 7;
const MULTI = 5;
const PROBES = 6;
const progs = fc.integer({ min: 1, max: PROGS });

function isMulti(sessions: boolean, prog: number): boolean {
  return sessions && prog === MULTI;
}

/** A link of a program's own, or now and then a second one. */
function linkOf(sessions: boolean, prog: number, targets: readonly string[], n: number): Action {
  const many = prog >= PROBES || isMulti(sessions, prog);
  const link = n === 0 ? 'link#8' : `link#${prog}`;
  return { do: 'BPF_LINK_CREATE', link, prog, targets: many ? targets : [] };
}

function weighed(weight: number, arbitrary: fc.Arbitrary<Action>): fc.WeightedArbitrary<Action> {
  return { weight, arbitrary };
}

/** Programs of all kinds. */
function loads(functions: readonly TracedFunction[], sessions: boolean): fc.Arbitrary<Action> {
  const kinds: readonly Kind[] = sessions
    ? ['fentry', 'fexit', 'fmod_ret', 'fsession']
    : ['fentry', 'fexit', 'fmod_ret'];
  return fc
    .record({
      id: progs,
      kind: fc.constantFrom(...kinds),
      cookie: halfTheTime,
      getFuncIp: rarely,
      sleepable: rarely,
      nonzero: rarely,
      fn: fc.constantFrom(...functions),
      probe: fc.constantFrom('entry' as const, 'return' as const, 'session' as const),
    })
    .map(({ id, fn, probe, nonzero, ...drawn }) => {
      const isProbe = id >= PROBES;
      const program = isProbe ? plainProgram(id) : tracingProgram(id, isMulti(sessions, id), drawn);
      const answers = nonzero && (isProbe ? probe === 'session' : program.kind === 'fmod_ret');
      return {
        do: 'BPF_PROG_LOAD',
        program,
        target: isProbe || program.multi ? '' : fn.name,
        probe: isProbe ? probe : '',
        returns: answers ? fromNumber(0x5eed) : ZERO,
      };
    });
}

type Drawn = { kind: Kind; cookie: boolean; getFuncIp: boolean; sleepable: boolean };

function tracingProgram(id: number, multi: boolean, { kind, cookie, getFuncIp, sleepable }: Drawn): Program {
  return {
    ...plainProgram(id),
    kind: multi && kind === 'fmod_ret' ? 'fentry' : kind,
    multi,
    cookie: cookie ? fromNumber(0xc0000 + id * 0x100) : ZERO,
    getFuncIp,
    sleepable,
  };
}
