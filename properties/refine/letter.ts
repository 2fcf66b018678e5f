import type { Kind } from '../../model/trampoline/program.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';

/** What a program of a history is, apart from its number and its targets. */
export interface Form {
  readonly kind: Kind;
  readonly reads: 'direct' | 'helpers';
  /** What a program answers that may keep the function from running. */
  readonly returns: Word;
}

/**
 * One operation of a history. Programs are those that the client has, by number; a new one gets the lowest that is
 * free, so that histories which differ in the names of programs only are one.
 */
export type Letter =
  /** A new program is loaded and linked: by a multi link to its targets, or by a single one. */
  | {
      readonly do: 'attach';
      readonly form: Form;
      readonly multi: boolean;
      readonly targets: readonly string[];
    }
  /** A program that has a multi link gets another one. */
  | { readonly do: 'link again'; readonly prog: number; readonly targets: readonly string[] }
  | { readonly do: 'detach'; readonly link: number };

/** What the client has: programs by number (are they for multi links?), and links by number, each with its program. */
export interface Client {
  readonly progs: Readonly<Record<number, { readonly multi: boolean }>>;
  readonly links: Readonly<Record<number, number>>;
}

export const NO_CLIENT: Client = { progs: {}, links: {} };

/** What histories are made of, within a bound. */
export interface Alphabet {
  /** The names of the traced functions. */
  readonly functions: readonly string[];
  /** The kinds of programs that multi links take. */
  readonly kinds: readonly Kind[];
}

/** Programs and links that a client has at a time, at the most. */
export const PROGRAMS_MOST = 3;

const SKIPS = fromNumber(0x5eed);

/**
 * Programs of multi links. What stands behind the arguments is read directly and by a helper; one that modifies the
 * return value keeps the function from running.
 */
const MULTI_FORMS: readonly Form[] = [
  { kind: 'fentry', reads: 'helpers', returns: ZERO },
  { kind: 'fexit', reads: 'helpers', returns: ZERO },
  { kind: 'fexit', reads: 'direct', returns: ZERO },
  { kind: 'fmod_ret', reads: 'direct', returns: SKIPS },
];

/** Single links are those of the kernel: two stand for all. */
const SINGLE_FORMS: readonly Form[] = [
  { kind: 'fentry', reads: 'direct', returns: ZERO },
  { kind: 'fexit', reads: 'direct', returns: ZERO },
];

/** Every operation that a client can ask for, in an order of its own: the simplest first. */
export function lettersFor({ functions, kinds }: Alphabet, { progs, links }: Client): Letter[] {
  const sets = [...functions.map((name) => [name]), functions];
  const isFull = Object.keys(progs).length === PROGRAMS_MOST;
  const forms = MULTI_FORMS.filter(({ kind }) => kinds.includes(kind));
  const added: Letter[] = isFull
    ? []
    : [
        ...sets.flatMap((targets) =>
          forms.map((form) => ({ do: 'attach', form, multi: true, targets }) as const),
        ),
        ...functions.flatMap((name) =>
          SINGLE_FORMS.map((form) => ({ do: 'attach', form, multi: false, targets: [name] }) as const),
        ),
      ];
  const again = Object.entries(progs).flatMap(([prog, { multi }]) =>
    multi ? sets.map((targets) => ({ do: 'link again', prog: Number(prog), targets }) as const) : [],
  );
  return [
    ...added,
    ...again,
    ...Object.keys(links).map((link) => ({ do: 'detach', link: Number(link) }) as const),
  ];
}

/** A letter as text: two that ask for the same are spelled the same. */
export function spellLetter(letter: Letter): string {
  switch (letter.do) {
    case 'attach': {
      const { kind, reads } = letter.form;
      return `${letter.multi ? 'multi' : 'single'} ${kind} ${reads} ${letter.targets.join('+')}`;
    }
    case 'link again':
      return `again ${letter.prog} ${letter.targets.join('+')}`;
    case 'detach':
      return `detach ${letter.link}`;
  }
}
