import fc from 'fast-check';
import type { BootName, KernelVersion } from '../model/core/profile.ts';
import { BOOTS, PROFILES } from '../model/core/profile.ts';
import type { Kind } from '../model/trampoline/program.ts';
import type { Case, CaseProgram } from './case.ts';

/**
 * What a search draws. Mostly what a kernel accepts: the raw draw is fitted to the chosen profile unless it is
 * marked `wild`. Values are listed simplest first, because that is where shrinking goes.
 */
interface Draw {
  readonly kernel: KernelVersion;
  readonly boot: BootName;
  readonly ibt: boolean;
  readonly args: readonly string[];
  readonly ret: string;
  readonly programs: readonly CaseProgram[];
  readonly surrounding: 'none' | 'live patch' | 'tail calls';
  readonly wild: boolean;
}

const ARG_TYPES = [
  'u64',
  'u32',
  'u8',
  'u16',
  's8',
  's16',
  's32',
  's64',
  'bool',
  'ptr',
  's8b',
  's3b',
  's16b',
  's12b',
  's9b',
  'u128',
];
const RET_TYPES = ['u64', 'void', 'u32', 's32', 'u8', 's16', 'bool', 'ptr', 'u128', 's16b'];

/** Encodings of a constant change at these values. */
const COOKIES = [
  '0x0',
  '0x1',
  '0x7fffffff',
  '0x80000000',
  '0xffffffff',
  '0x100000000',
  '0xffffffff80000000',
  '0xffffffff7fffffff',
  '0x8000000000000000',
];

/** Most arguments of a BPF program: five registers. */
export const BPF_ARGS_MAX = 5;

const kernel: fc.Arbitrary<KernelVersion> = fc.constantFrom('6.12', '7.2', '6.1');

const argument = fc.oneof(
  { weight: 6, arbitrary: fc.constant('u64') },
  { weight: 10, arbitrary: fc.constantFrom(...ARG_TYPES) },
  { weight: 1, arbitrary: fc.constantFrom('s24b', 's17b') },
);

const program: fc.Arbitrary<CaseProgram> = anyProgram().map((drawn) => ({
  ...drawn,
  sessionCookie: drawn.sessionCookie && drawn.kind === 'fsession',
}));

function anyProgram(): fc.Arbitrary<CaseProgram> {
  return fc.record({
    kind: fc.constantFrom<Kind>('fentry', 'fexit', 'fmod_ret', 'fsession'),
    multi: often(false),
    cookie: fc.oneof(
      { weight: 2, arbitrary: fc.constant('0x0') },
      { weight: 1, arbitrary: fc.constantFrom(...COOKIES) },
    ),
    getFuncIp: often(false),
    sessionCookie: often(false),
    sleepable: often(false),
  });
}

/** False two times out of three, or true. */
function often(value: boolean): fc.Arbitrary<boolean> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(value) },
    { weight: 1, arbitrary: fc.constant(!value) },
  );
}

const programs = fc.oneof(
  { weight: 60, arbitrary: fc.array(program, { minLength: 1, maxLength: 4, size: 'max' }) },
  { weight: 1, arbitrary: manyPrograms() },
);

/** Enough of one kind to meet the limits on links and on the image's length. */
function manyPrograms(): fc.Arbitrary<CaseProgram[]> {
  const count = fc.integer({ min: 15, max: 40 });
  return fc.tuple(program, count).map(([one, n]) => Array.from({ length: n }, () => one));
}

const draw: fc.Arbitrary<Draw> = fc.record({
  kernel,
  boot: fc.constantFrom(...BOOTS),
  ibt: fc.boolean(),
  args: fc.array(argument, { maxLength: 13, size: 'max' }),
  ret: fc.oneof(
    { weight: 2, arbitrary: fc.constant('u64') },
    { weight: 1, arbitrary: fc.constantFrom(...RET_TYPES) },
  ),
  programs,
  surrounding: fc.oneof(
    { weight: 4, arbitrary: fc.constant('none' as const) },
    { weight: 1, arbitrary: fc.constant('live patch' as const) },
    { weight: 1, arbitrary: fc.constant('tail calls' as const) },
  ),
  wild: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

/** Attach combinations, mostly such that a kernel takes them. */
export const cases: fc.Arbitrary<Case> = draw.map((d) => {
  const bpf = d.surrounding === 'tail calls';
  const { wild, surrounding, ...rest } = d.wild ? d : fitted(d, bpf);
  const args = bpf ? rest.args.slice(0, BPF_ARGS_MAX).map(() => 'u64') : rest.args;
  return { ...rest, args, ipmodify: surrounding === 'live patch', tailCalls: bpf };
});

/** The nearest combination that the profile has a place for. */
function fitted(d: Draw, bpf: boolean): Draw {
  const profile = PROFILES[d.kernel];
  const args = d.args.filter((name) => !TOO_LARGE.includes(name));
  return {
    ...d,
    args: firstWords(args, profile.trampolineSlotsMax),
    ret: d.ret === 's16b' || (d.ret === 'u128' && profile.wideReturnRefused) ? 'u64' : d.ret,
    programs: d.programs.map((p) => fittedProgram(p, profile.sessions, bpf)),
  };
}

const TOO_LARGE = ['s24b', 's17b'];

/** As many of the arguments as their words fit. */
function firstWords(args: readonly string[], most: number): string[] {
  let words = 0;
  return args.filter((name) => {
    const size = /^(u128|s(9|1[0-6])b)$/.test(name) ? 2 : 1;
    if (words + size > most) return false;
    words += size;
    return true;
  });
}

function fittedProgram(p: CaseProgram, sessions: boolean, bpf: boolean): CaseProgram {
  const kind =
    p.kind === 'fsession' && !sessions ? 'fexit' : p.kind === 'fmod_ret' && bpf ? 'fentry' : p.kind;
  const multi = p.multi && sessions && !bpf && kind !== 'fmod_ret';
  return { ...p, kind, multi, sessionCookie: p.sessionCookie && kind === 'fsession' };
}
