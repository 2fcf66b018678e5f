import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { targetNamed } from './targets.ts';

/** The recorder's operations, each with the words that follow its name. */
const WORDS = {
  nop: [],
  dreg: ['function', 'bit', 'tramp'],
  dmod: ['function', 'bit', 'tramp'],
  dunreg: ['function', 'bit', 'tramp or 9'],
  oreg: ['function', 'zero', 'tramp'],
  omod: ['function', 'tramp', 'tramp'],
  ounreg: ['function', 'zero', 'tramp'],
  freg: ['function', 'ops'],
  funreg: ['function', 'ops'],
  gon: ['function'],
  goff: ['function'],
  kpon: ['function', 'bit'],
  kpoff: ['function', 'bit'],
  kron: ['function', 'bit'],
  kroff: ['function', 'bit'],
  fpon: ['function', 'bit'],
  fpoff: ['function', 'bit'],
  'b+': ['function', 'slot', 'program'],
  'bm+': ['functions', 'slot', 'multi program'],
  bmany: ['function', 'times', 'program'],
  'b-': ['dash', 'slot'],
} as const satisfies Record<string, readonly WordRule[]>;

type WordRule = keyof typeof NUMBERS | 'function' | 'functions' | 'program' | 'multi program' | 'dash';

export type OpName = keyof typeof WORDS;

/** The valid numbers for a word. */
const NUMBERS = {
  bit: [0, 1],
  tramp: [0, 2],
  'tramp or 9': [0, 9],
  zero: [0, 0],
  ops: [0, 2],
  slot: [0, 255],
  times: [2, 150],
} as const;

/** Kinds of programs, as the recorder names them; the multi links come last. */
const PROGRAM_KINDS = [
  'fentry',
  'fexit',
  'fmod',
  'fses',
  'fentrym',
  'fexitm',
  'fsesm',
  'kpm',
  'krpm',
  'kses',
] as const;
const MULTI_KINDS: readonly string[] = PROGRAM_KINDS.slice(4);

export type ProgramKind = (typeof PROGRAM_KINDS)[number];

/** A program of the recorder, from `kind[:flags]`. */
export interface ProgramSpec {
  readonly kind: ProgramKind;
  /** Flags: c cookie, i bpf_get_func_ip, s sleepable, h arguments through helpers, n their count, r and R results. */
  readonly flags: string;
}

/** One operation of a sequence. */
export interface RecordedOp {
  readonly text: string;
  readonly name: OpName;
  readonly fns: readonly string[];
  /** The numbers among its words. */
  readonly numbers: readonly number[];
  readonly program: ProgramSpec | undefined;
}

/** Parses an operation; a sentence if the recorder has no such operation. */
export function parseOp(text: string): RecordedOp | string {
  const [name = '', ...words] = text.split(' ');
  if (!Object.hasOwn(WORDS, name))
    return `the recorder has no operation "${name}"; there are ${Object.keys(WORDS).join(' ')}`;
  const rules: readonly WordRule[] = WORDS[name as OpName];
  if (words.length !== rules.length)
    return `"${text}" has ${words.length} words after ${name} instead of ${rules.length}`;
  for (const [i, rule] of rules.entries()) {
    const problem = wordProblem(rule, item(words, i));
    if (problem !== undefined) return `${problem} in "${text}"`;
  }
  const wordOf = (...wanted: WordRule[]) => words.find((_, i) => wanted.includes(item(rules, i)));
  const spec = wordOf('program', 'multi program');
  return {
    text,
    name: name as OpName,
    fns: wordOf('function', 'functions')?.split(',') ?? [],
    numbers: words.filter((_, i) => item(rules, i) in NUMBERS).map(Number),
    program: spec === undefined ? undefined : programOf(spec),
  };
}

function wordProblem(rule: WordRule, word: string): string | undefined {
  switch (rule) {
    case 'function':
    case 'functions':
      return word.split(',').flatMap((name) => functionProblem(name) ?? [])[0];
    case 'program':
    case 'multi program':
      return programProblem(word, rule === 'program' ? PROGRAM_KINDS : MULTI_KINDS);
    case 'dash':
      return word === '-' ? undefined : `"${word}" is not -`;
    case 'bit':
    case 'tramp':
    case 'tramp or 9':
    case 'zero':
    case 'ops':
    case 'slot':
    case 'times':
      return numberProblem(word, NUMBERS[rule]);
    default:
      return unreachable(rule);
  }
}

/** Why a name is not that of a function of the recorder. */
export function functionProblem(name: string): string | undefined {
  return targetNamed(name) === undefined ? `the recorder has no function ${name}` : undefined;
}

function numberProblem(word: string, [least, most]: readonly [number, number]): string | undefined {
  const fits = /^[0-9]{1,3}$/.test(word) && Number(word) >= least && Number(word) <= most;
  return fits ? undefined : `"${word}" is not a number from ${least} to ${most}`;
}

function programProblem(word: string, kinds: readonly string[]): string | undefined {
  const { kind, flags } = programOf(word);
  if (!kinds.includes(kind)) return `"${kind}" is not a kind of program, ${kinds.join(' ')},`;
  if (!/^[cishnrR]*$/.test(flags)) return `"${flags}" has a flag that is none of c i s h n r R`;
  // It would log one word per argument, but keeps six: the rest is left over from an older event.
  return flags.includes('n') && MULTI_KINDS.includes(kind) ? `flag n of ${kind} is not modelled` : undefined;
}

function programOf(spec: string): ProgramSpec {
  const [kind = '', flags = ''] = spec.split(':');
  return { kind: kind as ProgramKind, flags };
}
