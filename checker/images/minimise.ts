import { item } from '../../model/core/present.ts';
import { PREFERRED, PROFILES } from '../../model/core/profile.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import type { CaseProgram, ImageCase } from './case.ts';
import { ofKind } from './case.ts';

/** The simplest value of each field; a case is simpler the more of them it has. */
export const SIMPLEST: CaseProgram = {
  kind: 'fentry',
  multi: false,
  cookie: '0x0',
  getFuncIp: false,
  sessionCookie: false,
  sleepable: false,
};

/** Kinds from simple to less simple. */
export const KINDS: readonly TracingKind[] = ['fentry', 'fexit', 'fmod_ret', 'fsession'];
const TYPES = ['u64', 'u8', 's16b', 'u128'];

/** Candidates two steps away that are tried, at most. */
const PAIRS_MOST = 4000;

/**
 * Makes a failing case simpler, one step at a time, until no step and no two steps leave it failing. The steps
 * are tried in one order, so that where the search started matters as little as possible.
 */
export function minimise(c: ImageCase, fails: (candidate: ImageCase) => boolean): ImageCase {
  for (;;) {
    const simpler = simplerCases(c).find(fails) ?? twoStepsSimpler(c, fails);
    if (simpler === undefined) return c;
    c = simpler;
  }
}

/** Some changes mask each other: two programs that must have one kind, a kind that a kernel does not have. */
function twoStepsSimpler(c: ImageCase, fails: (candidate: ImageCase) => boolean): ImageCase | undefined {
  let left = PAIRS_MOST;
  for (const imageCase of simplerCases(c))
    for (const two of simplerCases(imageCase)) {
      if (left-- === 0) return undefined;
      if (fails(two)) return two;
    }
  return undefined;
}

/** Cases one step simpler than `c`: fewer programs and arguments first, then simpler ones, then the context. */
export function simplerCases(c: ImageCase): ImageCase[] {
  return [
    ...fewerPrograms(c),
    ...fewerArguments(c),
    ...plainerArguments(c),
    ...plainerPrograms(c),
    ...plainerSurroundings(c),
  ];
}

function fewerPrograms(c: ImageCase): ImageCase[] {
  const { programs } = c;
  if (programs.length < 2) return [];
  const half = Math.ceil(programs.length / 2);
  const halves = programs.length > 3 ? [programs.slice(0, half), programs.slice(half)] : [];
  return [...halves, ...withoutEach(programs)].map((rest) => ({ ...c, programs: rest }));
}

function fewerArguments(c: ImageCase): ImageCase[] {
  const { args } = c;
  if (args.length === 0) return [];
  const fewer = [[], ...withoutEach(args)].map((rest) => ({ ...c, args: rest }));
  return [...fewer, ...withAnotherWord({ ...c, args: args.slice(0, -1) })];
}

/**
 * The case with one more word in its frame: a program that asks for the function's address, or one that runs at the
 * exit and needs the return value. If a breach depends on the frame's size, that compensates for an argument less or
 * for another kernel.
 */
function withAnotherWord(c: ImageCase): ImageCase[] {
  return c.programs.flatMap((program, i) => {
    const more: CaseProgram[] = [];
    if (!program.getFuncIp) more.push({ ...ofKind(program, program.kind), getFuncIp: true });
    if (program.kind === 'fentry') more.push(ofKind(program, 'fexit'));
    return more.map((other) => ({ ...c, programs: c.programs.with(i, other) }));
  });
}

/** The list without its last element, without the one before, and so on. */
function withoutEach<T>(list: readonly T[]): T[][] {
  return list.map((_, i) => list.filter((_item, j) => j !== list.length - 1 - i));
}

function plainerArguments(c: ImageCase): ImageCase[] {
  const plainer = c.args.flatMap((name, i) =>
    TYPES.slice(0, rank(TYPES, name)).map((type) => ({ ...c, args: c.args.with(i, type) })),
  );
  const split = c.args.flatMap((name, i) =>
    words(name) === 2 ? [{ ...c, args: c.args.toSpliced(i, 1, 'u64', 'u64') }] : [],
  );
  const sorted = c.args.toSorted((a, b) => rank(TYPES, a) - rank(TYPES, b) || a.localeCompare(b));
  const isSorted = sorted.every((name, i) => name === c.args[i]);
  return [
    ...plainer,
    ...split,
    ...(isSorted ? [] : [{ ...c, args: sorted }]),
    ...(c.ret === 'u64' ? [] : [{ ...c, ret: 'u64' }]),
  ];
}

/** Words of a type that an image can carry. */
function words(name: string): number {
  return Math.ceil((typeNamed(name)?.size ?? 0) / 8);
}

/** Place in a list from simple to less simple; an unlisted entry comes last. */
function rank(list: readonly string[], name: string): number {
  const index = list.indexOf(name);
  return index < 0 ? list.length : index;
}

function plainerPrograms(c: ImageCase): ImageCase[] {
  const each = c.programs.flatMap((program, i) =>
    plainerProgram(program).map((plainer) => ({ ...c, programs: c.programs.with(i, plainer) })),
  );
  const merged = c.programs.flatMap((_, i) =>
    c.programs.flatMap((__, j) => (i === j ? [] : [merge(c, i, j)])),
  );
  const sorted = c.programs.toSorted((a, b) => complexity(b) - complexity(a));
  const isSorted = sorted.every((program, i) => program === c.programs[i]);
  const all = c.programs.length > 4 ? [{ ...c, programs: c.programs.map(() => SIMPLEST) }] : [];
  return [...all, ...merged, ...each, ...(isSorted ? [] : [{ ...c, programs: sorted }])];
}

/** Program `from` is gone, program `into` has its flags as well. */
function merge(c: ImageCase, from: number, into: number): ImageCase {
  const [a, b] = [item(c.programs, from), item(c.programs, into)];
  const both: CaseProgram = {
    ...b,
    cookie: b.cookie === '0x0' ? a.cookie : b.cookie,
    getFuncIp: a.getFuncIp || b.getFuncIp,
    sleepable: a.sleepable || b.sleepable,
  };
  return { ...c, programs: c.programs.with(into, both).toSpliced(from, 1) };
}

/** A number that orders programs from more to less unusual. */
function complexity(program: CaseProgram): number {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable, structOps } = program;
  const flags = [structOps === true, sessionCookie, multi, sleepable, getFuncIp, cookie !== '0x0'];
  return flags.reduce((sum, flag) => sum * 2 + (flag ? 1 : 0), KINDS.indexOf(kind));
}

function plainerProgram(program: CaseProgram): CaseProgram[] {
  const place = KINDS.indexOf(program.kind) + (program.structOps === true ? 1 : 0);
  const kinds = KINDS.slice(0, place).map((kind) => ofKind(program, kind));
  const flags = (['multi', 'getFuncIp', 'sessionCookie', 'sleepable'] as const).filter(
    (flag) => program[flag],
  );
  const cookies = ['0x0', '0x1']
    .slice(0, rank(['0x0', '0x1'], program.cookie))
    .map((cookie) => ({ ...program, cookie }));
  return [...kinds, ...flags.map((flag) => ({ ...program, [flag]: false })), ...cookies];
}

function plainerSurroundings(c: ImageCase): ImageCase[] {
  const cases: ImageCase[] = [];
  if (c.ipmodify) cases.push({ ...c, ipmodify: false });
  if (c.tailCalls) cases.push({ ...c, tailCalls: false });
  for (const kernel of PREFERRED.slice(0, PREFERRED.indexOf(c.kernel)))
    cases.push({ ...c, kernel }, ...withAnotherWord({ ...c, kernel }));
  const boots = ['default', 'stuff', 'unret'] as const;
  for (const boot of boots.slice(0, rank(boots, c.boot))) cases.push({ ...c, boot });
  const { ibt } = PROFILES[c.kernel];
  if (c.ibt !== ibt) cases.push({ ...c, ibt });
  return cases;
}
