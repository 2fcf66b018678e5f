import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Answer, Next, RunVerdict } from '../../counterexamples/answer.ts';
import type { Mark } from '../../counterexamples/run-part.ts';
import { commandLines, counted, shellWord, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { Driven } from './drive.ts';

/** Input of the last line, besides the result of the run. */
export interface Told {
  /** The words of the command line. */
  readonly argv: readonly string[];
  /** The file of a counterexample; undefined: it is in none. */
  readonly fileOf: (saved: Answer['save'][number]) => string | undefined;
}

/** The last lines of a run: its result, its saved files, and the command to continue with. */
export function verdictLines(driven: Driven, { argv, fileOf }: Told): string[] {
  const { answer, signal } = driven;
  const { verdict, save } = answer;
  if (verdict === undefined) return [];
  const saved = save.flatMap((found) => fileOf(found) ?? []);
  const isWrong = verdict.breaches > 0 || verdict.wrong.length > 0;
  const { mark, what } = isWrong ? wrongText(verdict) : heldText(verdict, signal);
  const stopped = isWrong && signal !== undefined ? [`stopped by ${signal}`] : [];
  const seed = verdict.seed === undefined ? '' : ` · seed ${verdict.seed}`;
  const next = isWrong ? afterBreach(verdict, saved, argv) : afterwards(verdict, signal, argv);
  return [
    ...wrap([...what, ...stopped].join(', ') + seed, WIDTH - 2).map(
      (line, i) => `${i === 0 ? mark : ' '} ${line}`,
    ),
    ...(isWrong ? folderOf(saved).map((path) => pasted('saved', path)) : []),
    ...commandLines(pasted('next', ''), spelled(next)),
  ];
}

/** A label, and the text after it for the clipboard, in one piece. */
function pasted(label: string, text: string): string {
  return `  ${label.padEnd(16)} ${text}`;
}

interface VerdictText {
  readonly mark: Mark;
  readonly what: readonly string[];
}

function wrongText({ breaches, planted, wrong }: RunVerdict): VerdictText {
  return { mark: '✗', what: [...(breaches === 0 ? [] : [newsText(breaches, planted)]), ...wrong] };
}

function heldText({ open, known }: RunVerdict, signal: Driven['signal']): VerdictText {
  const why = signal === undefined ? open : [`stopped by ${signal}`];
  if (why.length > 0) return { mark: '?', what: [`inconclusive: ${why.join(', ')}`] };
  return {
    mark: '✓',
    what: [known.length === 0 ? 'held within this bound' : 'no new breach within this bound'],
  };
}

function afterBreach({ breaches, next }: RunVerdict, [first]: readonly string[], argv: readonly string[]) {
  if (first !== undefined) return ['replay', first];
  return breaches > 0 ? saving(argv) : wordsOf(next, argv);
}

function afterwards({ next }: RunVerdict, signal: Driven['signal'], argv: readonly string[]) {
  return signal !== undefined && !('options' in next) ? argv : wordsOf(next, argv);
}

function newsText(breaches: number, planted: string | undefined): string {
  return planted === undefined ? counted(breaches, 'new breach') : `the planted bug was found: ${planted}`;
}

/** The file, or the folder of several. */
function folderOf(files: readonly string[]): string[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  if (others.length === 0) return [shellWord(first)];
  let folder = dirname(first);
  while (folder !== dirname(folder) && others.some((file) => !file.startsWith(`${folder}/`)))
    folder = dirname(folder);
  return [shellWord(folder)];
}

function wordsOf(next: Next, argv: readonly string[]): readonly string[] {
  return 'command' in next ? next.command : withOptions(argv, next.options);
}

/** The same command again, saving its findings: they were not saved, or could not be. */
function saving(argv: readonly string[]): readonly string[] {
  return argv.includes('--no-save')
    ? argv.filter((word) => word !== '--no-save')
    : withOptions(argv, { '--save': join(tmpdir(), 'attachcheck-results') });
}

/** A command line with other values of some options. */
function withOptions(argv: readonly string[], options: Readonly<Record<string, string>>): string[] {
  const kept = argv.filter(
    (word, i) => !(word.split('=')[0]! in options) && !(argv[i - 1] !== undefined && argv[i - 1]! in options),
  );
  return [...kept, ...Object.entries(options).flat()];
}

/** Modules are a part of the program's name. */
function spelled(words: readonly string[]): string {
  const own = words.filter((word, i) => !/^--with(?:=|$)/.test(word) && words[i - 1] !== '--with');
  return ['npm run check --', ...own.map(shellWord)].join(' ');
}
