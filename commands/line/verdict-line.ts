import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Answer, Next } from '../../counterexamples/answer.ts';
import { counted, shellWord } from '../../counterexamples/text.ts';
import type { Driven } from './drive.ts';

/** What a verdict is told of, besides what the run has come to. */
export interface Told {
  /** What the command line was given. */
  readonly argv: readonly string[];
  /** The file of a counterexample; undefined: it is in none. */
  readonly fileOf: (saved: Answer['save'][number]) => string | undefined;
}

/** The last line of a run: what it has come to, and the command that goes on from here. */
export function verdictLines({ answer, signal }: Driven, { argv, fileOf }: Told): string[] {
  const { verdict, save } = answer;
  if (verdict === undefined) return [];
  const { breaches, planted, wrong, known, open, next } = verdict;
  const stopped = signal === undefined ? [] : [`stopped by ${signal}`];
  const saved = save.flatMap((found) => fileOf(found) ?? []);
  const line = (what: readonly string[], command: string) => [`${what.join(', ')}; next: ${command}`];
  if (breaches > 0 || wrong.length > 0) {
    const news = breaches === 0 ? [] : [newsText(breaches, planted)];
    const [first] = saved;
    const command =
      first !== undefined
        ? spelled(['replay', first])
        : spelled(breaches > 0 ? saving(argv) : wordsOf(next, argv));
    return line([`✗ ${[...news, ...folderOf(saved), ...wrong, ...stopped].join(', ')}`], command);
  }
  const again = 'options' in next ? wordsOf(next, argv) : argv;
  if (stopped.length > 0) return line([`? incomplete: ${stopped.join()}`], spelled(again));
  if (open.length > 0) return line([`? incomplete: ${open.join(', ')}`], spelled(wordsOf(next, argv)));
  const met = `✓ nothing new: no breach but ${counted(known.length, 'known one')} within this bound`;
  return line([known.length === 0 ? '✓ held within this bound' : met], spelled(wordsOf(next, argv)));
}

function newsText(breaches: number, planted: string | undefined): string {
  return planted === undefined ? counted(breaches, 'new breach') : `the planted bug was found: ${planted}`;
}

/** The file, or the folder of several. */
function folderOf(files: readonly string[]): string[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  if (others.length === 0) return [`saved as ${first}`];
  let folder = dirname(first);
  while (folder !== dirname(folder) && others.some((file) => !file.startsWith(`${folder}/`)))
    folder = dirname(folder);
  return [`saved in ${folder}`];
}

function wordsOf(next: Next, argv: readonly string[]): readonly string[] {
  return 'command' in next ? next.command : withOptions(argv, next.options);
}

/** The same once more, so that what is found is kept: where it was not to be, or could not be written. */
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
