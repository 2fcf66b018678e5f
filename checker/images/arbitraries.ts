import fc from 'fast-check';
import { present } from '../../model/core/present.ts';
import type { BootName, KernelVersion } from '../../model/core/profile.ts';
import { BOOTS, PREFERRED, PROFILES } from '../../model/core/profile.ts';
import { isOfMember } from '../../model/trampoline/program.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import type { CaseProgram, ImageCase } from './case.ts';
import { ofKind } from './case.ts';

/** What surrounds the programs of a case. */
interface Surroundings {
  readonly kernel: KernelVersion;
  readonly boot: BootName;
  readonly ibt: boolean;
  readonly beside: 'nothing' | 'live patch' | 'tail calls';
  /** Most draws are fitted to what their kernel accepts; a wild one is left as it is. */
  readonly wild: boolean;
}

/** Types of arguments that the kernels pass by value. */
export const ARG_TYPES = [
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
/** More than any kernel takes by value. */
const TOO_LARGE = ['s24b', 's17b'];
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

/** One entry this many times. */
function times<T>(count: number, ...entries: T[]): T[] {
  return Array.from({ length: count }, () => entries).flat();
}

/** False two times out of three. */
const SELDOM = [false, false, true];

/**
 * All combinations of some choices, the first of each first. Drawing one entry of such a table is several times
 * faster than drawing each field, and shrinks towards the first entry just as well.
 */
export function product<T extends object>(choices: { readonly [K in keyof T]: readonly T[K][] }): T[] {
  const keys = Object.keys(choices) as (keyof T)[];
  return keys.reduce<Partial<T>[]>(
    (partial, key) => partial.flatMap((entry) => choices[key].map((value) => ({ ...entry, [key]: value }))),
    [{}],
  ) as T[];
}

const argument = fc.constantFrom(...times(10, 'u64'), ...times(2, ...ARG_TYPES), ...TOO_LARGE);

const program = fc.constantFrom(
  ...product<CaseProgram>({
    kind: ['fentry', 'fexit', 'fmod_ret', 'fsession'],
    multi: SELDOM,
    cookie: [...times(15, '0x0'), ...COOKIES],
    getFuncIp: SELDOM,
    sessionCookie: SELDOM,
    sleepable: SELDOM,
  }).map((p) => ofKind(p, p.kind)),
);

/** The program of a struct_ops member, which is alone. */
const MEMBERS: readonly CaseProgram[] = SELDOM.map((sleepable) => ({
  kind: 'fentry',
  multi: false,
  cookie: '0x0',
  getFuncIp: false,
  sessionCookie: false,
  sleepable,
  structOps: true,
}));

const programs = fc.oneof(
  { weight: 60, arbitrary: fc.array(program, { minLength: 1, maxLength: 4, size: 'max' }) },
  { weight: 1, arbitrary: manyPrograms() },
  { weight: 3, arbitrary: fc.constantFrom(...MEMBERS).map((member) => [member]) },
);

/** Enough of one kind to meet the limits on links and on the image's length. */
function manyPrograms(): fc.Arbitrary<CaseProgram[]> {
  const count = fc.integer({ min: 15, max: 40 });
  return fc.tuple(program, count).map(([program, n]) => Array.from({ length: n }, () => program));
}

const surroundings = fc.constantFrom(
  ...product<Surroundings>({
    wild: [...times(12, false), true],
    beside: [...times(4, 'nothing' as const), 'live patch', 'tail calls'],
    kernel: PREFERRED,
    boot: BOOTS,
    ibt: [false, true],
  }),
);

const args = fc.array(argument, { maxLength: 13, size: 'max' });
const ret = fc.constantFrom(...times(20, 'u64'), ...RET_TYPES);

/** Attach combinations, most of which a kernel accepts. */
export const cases: fc.Arbitrary<ImageCase> = fc
  .tuple(surroundings, args, ret, programs)
  .map(([{ wild, kernel, boot, ibt, beside }, drawnArgs, drawnRet, drawnPrograms]) => {
    const tailCalls = beside === 'tail calls';
    const drawn: ImageCase = {
      kernel,
      boot,
      ibt,
      args: tailCalls ? drawnArgs.slice(0, BPF_ARGS_MAX).map(() => 'u64') : drawnArgs,
      ret: drawnRet,
      programs: drawnPrograms,
      ipmodify: beside === 'live patch',
      tailCalls,
    };
    if (isOfMember(drawn.programs)) return fitted({ ...drawn, ipmodify: false, tailCalls: false });
    return wild ? drawn : fitted(drawn);
  });

/** The nearest combination that the profile supports. */
export function fitted(c: ImageCase): ImageCase {
  const profile = PROFILES[c.kernel];
  const { kernel, boot, ibt, ipmodify, tailCalls } = c;
  // A member returns what its program does: one word.
  const wideReturnRefused = profile.wideReturnRefused || isOfMember(c.programs);
  return {
    kernel,
    boot,
    ibt,
    args: firstWords(c.args, profile.trampolineSlotsMax),
    ret: c.ret === 's16b' || (c.ret === 'u128' && wideReturnRefused) ? 'u64' : c.ret,
    programs: c.programs.map((p) => fittedProgram(p, profile.sessions, tailCalls)),
    ipmodify,
    tailCalls,
  };
}

/** The arguments whose words fit. */
function firstWords(names: readonly string[], most: number): string[] {
  let words = 0;
  return names.filter((name) => {
    const { size } = present(typeNamed(name), name);
    const more = Math.ceil(size / 8);
    if (size > 16 || words + more > most) return false;
    words += more;
    return true;
  });
}

function fittedProgram(p: CaseProgram, sessions: boolean, bpf: boolean): CaseProgram {
  const kind =
    p.kind === 'fsession' && !sessions ? 'fexit' : p.kind === 'fmod_ret' && bpf ? 'fentry' : p.kind;
  const multi = p.multi && sessions && !bpf && kind !== 'fmod_ret';
  if (kind === p.kind && multi === p.multi) return p;
  return { ...ofKind(p, kind), multi };
}
