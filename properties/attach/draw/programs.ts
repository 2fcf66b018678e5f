import fc from 'fast-check';
import type { Action } from '../../../model/action.ts';
import type { Profile } from '../../../model/core/profile.ts';
import type { Kind, Program } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import type { Weighed } from './weighed.ts';
import { rarely, weighed } from './weighed.ts';

/**
 * What a program is follows from its number, so that most links ask for what their program can do: the first four
 * have one function each, two are for multi links where there are any, the last two are for kprobe.multi.
 */
const PROGS = 7;
const MULTI: readonly number[] = [4, 5];
const PROBES = 6;
const progs = fc.integer({ min: 1, max: PROGS });

/** BPF programs and their links. */
export function programActions(
  { sessions }: Profile,
  functions: readonly TracedFunction[],
  ips: fc.Arbitrary<readonly string[]>,
): Weighed[] {
  return [
    weighed(8, loads(functions, sessions)),
    weighed(
      16,
      fc.tuple(progs, ips, fc.nat(3)).map(([prog, targets, n]) => linkOf(sessions, prog, targets, n)),
    ),
    weighed(
      1,
      progs.map((prog) => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${prog}`, prog })),
    ),
    weighed(
      5,
      progs.map((prog) => ({ do: 'close(link)', link: `link#${prog}` })),
    ),
    weighed(
      2,
      progs.map((prog) => ({ do: 'close(prog)', prog })),
    ),
  ];
}

function isMulti(sessions: boolean, prog: number): boolean {
  return sessions && MULTI.includes(prog);
}

/** A link of a program's own, or now and then a second one; that of a multi link may name a function twice. */
function linkOf(sessions: boolean, prog: number, targets: readonly string[], n: number): Action {
  const many = prog >= PROBES || isMulti(sessions, prog);
  const link = n === 0 ? 'link#8' : `link#${prog}`;
  return { do: 'BPF_LINK_CREATE', link, prog, targets: many ? targets : [] };
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
      cookie: fc.boolean(),
      getFuncIp: rarely,
      sleepable: rarely,
      nonzero: rarely,
      readsDirectly: rarely,
      target: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...functions.map(({ name }) => name)) },
        { weight: 1, arbitrary: fc.constant('no_such_function') },
      ),
      probe: fc.constantFrom('entry' as const, 'return' as const, 'session' as const),
    })
    .map(({ id, target, probe, nonzero, ...drawn }) => {
      const isProbe = id >= PROBES;
      const program = isProbe ? plainProgram(id) : tracingProgram(id, isMulti(sessions, id), drawn);
      const answers = nonzero && (isProbe ? probe === 'session' : program.kind === 'fmod_ret');
      return {
        do: 'BPF_PROG_LOAD',
        program,
        target: isProbe || program.multi ? '' : target,
        probe: isProbe ? probe : '',
        returns: answers ? fromNumber(0x5eed) : ZERO,
      };
    });
}

interface Drawn {
  readonly kind: Kind;
  readonly cookie: boolean;
  readonly getFuncIp: boolean;
  readonly sleepable: boolean;
  readonly readsDirectly: boolean;
}

function tracingProgram(id: number, multi: boolean, drawn: Drawn): Program {
  const { kind, cookie, getFuncIp, sleepable, readsDirectly } = drawn;
  return {
    ...plainProgram(id),
    kind: multi && kind === 'fmod_ret' ? 'fentry' : kind,
    multi,
    cookie: cookie ? fromNumber(0xc0000 + id * 0x100) : ZERO,
    getFuncIp,
    sleepable,
    reads: readsDirectly ? 'direct' : 'helpers',
  };
}
