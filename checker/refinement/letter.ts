import { unreachable } from '../../model/core/unreachable.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';

/** A program of a history, apart from its number and its targets. */
export interface LetterForm {
  readonly kind: TracingKind;
  readonly reads: 'direct' | 'helpers';
  /** It asks for its cookie and for the function's address. */
  readonly asks: boolean;
  /** The answer of a program that may keep the function from running. */
  readonly returns: Word;
}

/**
 * One operation of a history, a symbol of its alphabet. Programs are named by number; a new one gets the lowest free
 * number, so that histories which differ only in the names of programs are one.
 */
export type Letter =
  /** A new program is loaded and linked: by a multi link to its targets, or by a single one. */
  | {
      readonly do: 'attach';
      readonly form: LetterForm;
      readonly multi: boolean;
      readonly targets: readonly string[];
    }
  /** A program with a multi link gets another one. */
  | { readonly do: 'link again'; readonly prog: number; readonly targets: readonly string[] }
  | { readonly do: 'detach'; readonly link: number };

/**
 * The client's objects: programs by number (are they for multi links?), and links by number, each with its program.
 */
export interface LetterClient {
  readonly progs: Readonly<Record<number, { readonly multi: boolean }>>;
  readonly links: Readonly<Record<number, number>>;
}

export const NO_CLIENT: LetterClient = { progs: {}, links: {} };

/** The alphabet of histories, within a bound. */
export interface Alphabet {
  /** The names of the traced functions. */
  readonly functions: readonly string[];
  /** The kinds of programs that multi links take. */
  readonly kinds: readonly TracingKind[];
  /** Attach operations that are left out, as `spellLetter()` has them. */
  readonly without: ReadonlySet<string>;
}

/** Programs and links that a client has at a time, at most. */
export const PROGRAMS_MOST = 3;

const SKIPS = fromNumber(0x5eed);

type Attach = Extract<Letter, { do: 'attach' }>;

const PLAIN = { reads: 'helpers', asks: false, returns: ZERO } as const;

/**
 * Programs of multi links. Words after the arguments are read directly and by a helper; one that modifies the return
 * value keeps the function from running.
 */
const MULTI_FORMS: readonly LetterForm[] = [
  { ...PLAIN, kind: 'fentry' },
  { ...PLAIN, kind: 'fexit' },
  { ...PLAIN, kind: 'fexit', reads: 'direct' },
  { ...PLAIN, kind: 'fmod_ret', reads: 'direct', returns: SKIPS },
];

/** One that asks for something is linked to all functions: a cookie differs from one to the next. */
const ASKING: LetterForm = { ...PLAIN, kind: 'fentry', asks: true };

/** Single links are those of the kernel: two represent all. */
const SINGLE_FORMS: readonly LetterForm[] = [
  { ...PLAIN, kind: 'fentry' },
  { ...PLAIN, kind: 'fexit' },
];

/** Every new program that a client can attach, the simplest first. */
export function attachLetters({ functions, kinds, without }: Alphabet): Attach[] {
  const attach = (form: LetterForm, multi: boolean, targets: readonly string[]): Attach => ({
    do: 'attach',
    form,
    multi,
    targets,
  });
  return [
    ...setsOf(functions).flatMap((targets) => MULTI_FORMS.map((form) => attach(form, true, targets))),
    attach(ASKING, true, functions),
    ...functions.flatMap((name) => SINGLE_FORMS.map((form) => attach(form, false, [name]))),
  ].filter(
    (letter) => !without.has(spellLetter(letter)) && (!letter.multi || kinds.includes(letter.form.kind)),
  );
}

function setsOf(functions: readonly string[]): (readonly string[])[] {
  return [...functions.map((name) => [name]), functions];
}

/** Every operation that a client can request, the simplest first. */
export function lettersFor(alphabet: Alphabet, { progs, links }: LetterClient): Letter[] {
  const isFull = Object.keys(progs).length === PROGRAMS_MOST;
  const sets = setsOf(alphabet.functions);
  const again = Object.entries(progs).flatMap(([prog, { multi }]) =>
    multi ? sets.map((targets) => ({ do: 'link again', prog: Number(prog), targets }) as const) : [],
  );
  return [
    ...(isFull ? [] : attachLetters(alphabet)),
    ...again,
    ...Object.keys(links).map((link) => ({ do: 'detach', link: Number(link) }) as const),
  ];
}

/** A symbol as text: two for the same request have the same text. */
export function spellLetter(letter: Letter): string {
  switch (letter.do) {
    case 'attach': {
      const { kind, reads, asks } = letter.form;
      const how = [
        kind,
        ...(reads === 'direct' ? ['reads=ctx'] : []),
        ...(asks ? ['cookie get_func_ip'] : []),
      ];
      return `${letter.multi ? 'multi' : 'single'} ${how.join(' ')} to ${letter.targets.join(' and ')}`;
    }
    case 'link again':
      return `prog#${letter.prog} again to ${letter.targets.join(' and ')}`;
    case 'detach':
      return `detach link#${letter.link}`;
    default:
      return unreachable(letter);
  }
}
