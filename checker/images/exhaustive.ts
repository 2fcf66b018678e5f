import { BOOTS, PREFERRED } from '../../model/core/profile.ts';
import { isOfMember } from '../../model/trampoline/program.ts';
import type { Planted } from '../../properties/planted/images/planted.ts';
import { ARG_TYPES, BPF_ARGS_MAX, fitted, product } from './arbitraries.ts';
import { benchFor } from './bench.ts';
import type { CaseProgram, CaseQuestion, ImageCase } from './case.ts';
import { ofKind, runCase } from './case.ts';
import { KINDS, SIMPLEST } from './minimise.ts';
import { printCase } from './spelling.ts';

/*
 * All attach combinations of a small world, those with fewer programs first: so the first breach has as few as any. Of
 * the options of a program at most one is not the default.
 *
 * ```text
 *   programs   signatures                            kernels, boots, endbr64, live patch or tail calls
 *   --------   -----------------------------------   ---------------------------------------------------
 *   one        0 to 12 words, and one argument of    all
 *              each type, alone and after six words
 *   two        one and seven words                   the default boot of each kernel
 * ```
 */

export interface AllImages {
  /** Combinations that were judged. */
  readonly states: number;
  readonly found: ImageCase | undefined;
}

/** Judges all of them, or the first ones, until one breaks a law in an unlisted way. */
export function searchAllImages(
  question: CaseQuestion,
  planted: Planted | undefined,
  most = Number.POSITIVE_INFINITY,
): AllImages {
  const bench = benchFor(planted);
  const seen = new Set<string>();
  for (const c of allCases()) {
    const text = printCase(c);
    if (seen.has(text)) continue;
    if (seen.size >= most) break;
    seen.add(text);
    if (runCase(bench, c, question).verdict?.breach !== undefined) return { states: seen.size, found: c };
  }
  return { states: seen.size, found: undefined };
}

/** Programs of a combination. */
export const PROGRAMS_MOST = 2;

function* allCases(): Generator<ImageCase> {
  for (const program of [...PROGRAMS, MEMBER])
    for (const args of SIGNATURES) yield* surrounded([program], args, ALL);
  for (const first of PROGRAMS)
    for (const second of PROGRAMS) for (const args of FEW) yield* surrounded([first, second], args, DEFAULT);
}

/** The fields that are not programs or arguments. */
type Around = Pick<ImageCase, 'kernel' | 'boot' | 'ibt' | 'ret' | 'ipmodify' | 'tailCalls'>;

function* surrounded(
  programs: readonly CaseProgram[],
  args: readonly string[],
  around: readonly Around[],
): Generator<ImageCase> {
  for (const other of around) {
    const isOfProgram =
      other.tailCalls && (args.length > BPF_ARGS_MAX || args.some((name) => name !== 'u64'));
    if (isOfProgram || (isOfMember(programs) && (other.ipmodify || other.tailCalls))) continue;
    const c = { ...other, args, programs };
    // A wide return value is tried where it is refused as well.
    yield other.ret === 'u128' && other.boot === 'default' ? c : fitted(c);
  }
}

function words(count: number): string[] {
  return Array.from({ length: count }, () => 'u64');
}

const SIGNATURES: readonly (readonly string[])[] = [
  ...Array.from({ length: 13 }, (_, count) => words(count)),
  ...ARG_TYPES.flatMap((type) => [[type], [...words(6), type]]),
];

const FEW = [words(1), words(7)];

const ALL: readonly Around[] = product<Around>({
  ret: ['u64', 'void', 'u32', 'u128'],
  ipmodify: [false, true],
  tailCalls: [false, true],
  kernel: PREFERRED,
  boot: BOOTS,
  ibt: [false, true],
}).filter(({ ipmodify, tailCalls }) => !ipmodify || !tailCalls);

const DEFAULT = ALL.filter(({ boot, ret }) => boot === 'default' && ret === 'u64');

/** The program of a struct_ops member is alone. */
const MEMBER: CaseProgram = { ...SIMPLEST, structOps: true };

/** Of each kind, with no option and with one. */
const PROGRAMS: readonly CaseProgram[] = KINDS.flatMap((kind) => [
  ofKind(SIMPLEST, kind),
  ofKind({ ...SIMPLEST, cookie: '0x1' }, kind),
  ofKind({ ...SIMPLEST, getFuncIp: true }, kind),
  ofKind({ ...SIMPLEST, sleepable: true }, kind),
  ofKind({ ...SIMPLEST, multi: true }, kind),
  ...(kind === 'fsession' ? [ofKind({ ...SIMPLEST, sessionCookie: true }, kind)] : []),
]);
