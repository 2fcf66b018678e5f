import fc from 'fast-check';
import type { Action, ActionOf } from '../../../model/client/all.ts';
import { NO_FUNCTION } from '../../../model/client/named-objects.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { item } from '../../../model/core/present.ts';
import type { Profile } from '../../../model/core/profile.ts';
import { profileNamed } from '../../../model/core/profile.ts';
import { multiKinds } from '../../../model/trampoline/designs/chosen.ts';
import type { BpfProgram, TracingKind } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { withAccesses } from './accesses.ts';
import { withLsm } from './lsm.ts';
import { withBtf, withModules } from './modules.ts';
import type { Weighed } from './weighed.ts';
import { rarely, weighed } from './weighed.ts';

/**
 * The kind of a program follows from its number, so that most links request what their program can do: the first four
 * have one function each, two are for multi links where there are any, the next two are for kprobe.multi. Where there
 * are BPF programs to extend, two more are extensions. One more is for multi links of a design.
 */
const PROGS = 7;
const MULTI: readonly number[] = [4, 5, 11];
const PROBES = 6;
const EXTENSIONS = [9, 10] as const;

/** Numbers of programs for these functions. */
export function numbers(functions: readonly TracedFunction[]): fc.Arbitrary<number> {
  const others = fc.integer({ min: 1, max: PROGS });
  if (!functions.some(({ bpf }) => bpf)) return others;
  return fc.oneof(
    { weight: 7, arbitrary: others },
    { weight: 3, arbitrary: fc.constant(EXTENSIONS[0]) },
    { weight: 1, arbitrary: fc.constant(EXTENSIONS[1]) },
  );
}

function isProbe(prog: ProgId): boolean {
  return prog >= PROBES && prog <= PROGS;
}

/** Programs of all kinds, some of which read arguments of a first function, or are of BPF LSM. */
export function programLoads(profile: Profile, functions: readonly TracedFunction[]): fc.Arbitrary<Action> {
  const drawn = loads(functions, profile.sessions, multiKinds(profile));
  const ofKernel = withLsm(functions, withAccesses(profile, functions, drawn));
  return ofKernel.map((load) => withBtf(profile, functions, load));
}

/** A link of each program, and now and then a second one. */
export function links(
  profile: Profile,
  functions: readonly TracedFunction[],
  ips: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<Action> {
  const multi = multiKinds(profile);
  return fc.tuple(numbers(functions), ips, fc.nat(3)).map(([prog, targets, n]) => {
    const link = linkOf(functions, multi, prog, targets, n);
    return isMulti(multi, prog) ? withModules(profile, functions, link, n === 1 ? targets : []) : link;
  });
}

/** Whether multi links belong to a design rather than to the kernel itself. */
export function hasChosenDesign({ kernel, multiLinks }: Profile): boolean {
  return profileNamed(kernel).multiLinks !== multiLinks;
}

/**
 * Where a design was chosen, more of what designs differ in: links of several programs with common functions are
 * attached and detached.
 */
export function multiLinkActions(
  profile: Profile,
  functions: readonly TracedFunction[],
  ips: fc.Arbitrary<readonly string[]>,
): Weighed[] {
  if (!hasChosenDesign(profile)) return [];
  const multi = multiKinds(profile);
  const progs = fc.constantFrom(...MULTI);
  return [
    weighed(30, loads(functions, profile.sessions, multi, { ids: progs, cookies: rarely })),
    weighed(
      90,
      fc.tuple(progs, ips).map(([prog, targets]) => linkOf(functions, multi, prog, targets, prog)),
    ),
    weighed(
      30,
      progs.map((prog) => ({ do: 'close(link)', link: `link#${prog}` })),
    ),
  ];
}

function isExtension(prog: ProgId): boolean {
  return prog >= EXTENSIONS[0] && prog <= EXTENSIONS[1];
}

/** `multi` says which kinds of programs multi links take; empty: there are none. */
function isMulti(multi: readonly TracingKind[], prog: ProgId): boolean {
  return multi.length > 0 && MULTI.includes(prog);
}

/** A link of a program's own, or now and then a second one. That of a multi link has no function of a module. */
function linkOf(
  functions: readonly TracedFunction[],
  multi: readonly TracingKind[],
  prog: ProgId,
  targets: readonly FunctionName[],
  n: number,
): ActionOf<'BPF_LINK_CREATE'> {
  const link = n === 0 ? 'link#8' : `link#${prog}`;
  const action = { do: 'BPF_LINK_CREATE', link, prog } as const;
  if (isProbe(prog)) return { ...action, targets };
  if (!isMulti(multi, prog)) return { ...action, targets: [] };
  const inModule = functions.filter(({ module }) => module !== '').map(({ name }) => name);
  return { ...action, targets: targets.filter((name) => !inModule.includes(name)) };
}

/** Which programs are loaded, if not any, and how many of them use a cookie, if not every other one. */
interface Numbered {
  readonly ids?: fc.Arbitrary<number>;
  readonly cookies?: fc.Arbitrary<boolean>;
}

/** Programs of all kinds. */
function loads(
  functions: readonly TracedFunction[],
  sessions: boolean,
  multi: readonly TracingKind[],
  { ids = numbers(functions), cookies = fc.boolean() }: Numbered = {},
): fc.Arbitrary<Action> {
  const kinds: readonly TracingKind[] = sessions
    ? ['fentry', 'fexit', 'fmod_ret', 'fsession']
    : ['fentry', 'fexit', 'fmod_ret'];
  return fc
    .record({
      id: ids,
      kind: fc.constantFrom(...kinds),
      cookie: cookies,
      getFuncIp: rarely,
      sleepable: rarely,
      nonzero: rarely,
      unexpected: rarely,
      readsDirectly: rarely,
      target: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...functions.map(({ name }) => name)) },
        ...extensible(functions).map((name) => ({ weight: 10, arbitrary: fc.constant(name) })),
        { weight: 1, arbitrary: fc.constant(NO_FUNCTION) },
      ),
      probe: fc.constantFrom('entry' as const, 'return' as const, 'session' as const),
    })
    .map(({ id, target, probe, nonzero, unexpected, ...drawn }) => {
      if (isExtension(id)) return extension(id, nonzero ? target : item(extensible(functions), 0));
      if (isProbe(id)) return probeLoad(id, probe, drawn, nonzero, unexpected);
      const program = tracingProgram(id, isMulti(multi, id) ? multi : [], drawn);
      const answers = nonzero && (program.kind === 'fmod_ret' || unexpected);
      return {
        do: 'BPF_PROG_LOAD',
        program,
        target: program.multi ? '' : target,
        probe: '',
        returns: answers ? fromNumber(0x5eed) : ZERO,
      };
    });
}

/** A program for kprobe.multi; a session's 1 keeps its exit from running. */
function probeLoad(
  id: number,
  probe: 'entry' | 'return' | 'session',
  { getFuncIp, sleepable, readsDirectly }: Drawn,
  nonzero: boolean,
  unexpected: boolean,
): Action {
  const program: BpfProgram = {
    ...plainProgram(id),
    getFuncIp,
    sleepable: sleepable && unexpected,
    reads: readsDirectly && unexpected ? 'helpers' : 'direct',
  };
  const answer = probe === 'session' && !unexpected ? 1 : 0x5eed;
  const returns = nonzero && (probe === 'session' || unexpected) ? fromNumber(answer) : ZERO;
  return { do: 'BPF_PROG_LOAD', program, target: '', probe, returns };
}

function extensible(functions: readonly TracedFunction[]): string[] {
  return functions.filter(({ bpf }) => bpf).map(({ name }) => name);
}

function extension(id: number, target: FunctionName): Action {
  const program: BpfProgram = { ...plainProgram(id), kind: 'freplace' };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: fromNumber(0xe000 + id) };
}

interface Drawn {
  readonly kind: TracingKind;
  readonly cookie: boolean;
  readonly getFuncIp: boolean;
  readonly sleepable: boolean;
  readonly readsDirectly: boolean;
}

/** A program of multi links is of a kind that they take, `multi`; another has one target, and that is empty. */
function tracingProgram(id: number, multi: readonly TracingKind[], drawn: Drawn): BpfProgram {
  const { kind, cookie, getFuncIp, sleepable, readsDirectly } = drawn;
  return {
    ...plainProgram(id),
    kind: multi.length > 0 && !multi.includes(kind) ? 'fentry' : kind,
    multi: multi.length > 0,
    cookie: cookie ? fromNumber(0xc0000 + id * 0x100) : ZERO,
    getFuncIp,
    sleepable,
    reads: readsDirectly ? 'direct' : 'helpers',
  };
}
