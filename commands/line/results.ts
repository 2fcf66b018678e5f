import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { readText } from '../../conformance/files.ts';
import type { AskedFile, Saved } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { withCommands } from '../../counterexamples/report-commands.ts';
import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { TOP } from './project.ts';
import { asTyped } from './typed.ts';
import { visible } from './visible.ts';
import { writeWhole } from './write-whole.ts';

/** A report that names the file of a counterexample instead of its place in the corpus; undefined: it is in none. */
function inFile(text: string, path: string, file: string | undefined): string {
  if (file === undefined)
    return withCommands(text, (command) => (command.endsWith(` replay ${path}`) ? undefined : command));
  // The name of a file may end in the path of the corpus: what has been replaced is no longer that path.
  const whole = new RegExp(`(?<!\\S)${escaped(path)}`, 'g');
  const named = (part: string) => part.replaceAll(whole, () => shellWord(file));
  return named(withCommands(text, named));
}

/** A pattern that matches a text, and nothing else. */
function escaped(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A counterexample that has its file, and is not in it yet. */
interface Planned {
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/**
 * The counterexamples of a run. Each gets its file before it is reported, so that the report can name it, and the
 * program as the user started it; it is written afterwards, so that no disk can cost a report.
 */
export class Results {
  /** The file of each path in the corpus; undefined: none. */
  private readonly files = new Map<string, string | undefined>();
  private planned: Planned[] = [];

  constructor(
    /** The directory for new ones; undefined: none. */
    private readonly folder: string | undefined,
    private readonly name: string,
    private readonly err: (text: string) => void,
  ) {}

  /** Chooses the files of counterexamples. */
  plan(saved: readonly Saved[]): void {
    for (const found of saved) {
      const file = this.file(found);
      if (!this.files.has(found.path)) this.files.set(found.path, file);
    }
  }

  /** Writes those that have a file and are not in it yet. */
  write(): void {
    for (const { path, file, text } of this.planned) {
      try {
        mkdirSync(dirname(file), { recursive: true });
        writeWhole(file, text);
        this.err(`saved ${file}\n`);
      } catch (error) {
        this.notSaved(path, error);
        if (this.files.get(path) === file) this.files.set(path, undefined);
      }
    }
    this.planned = [];
  }

  /** Writes files that were asked for by name; what cannot be written is reported, and changes no verdict. */
  writeAsked(files: readonly AskedFile[]): void {
    for (const asked of files) {
      const { file } = asked;
      const why = 'why' in asked ? asked.why : problemOf(() => writeWhole(file, asked.content));
      this.err(
        why === undefined ? `saved ${file}\n` : `attachcheck: ${file} is not written: ${this.told(why)}\n`,
      );
    }
  }

  /** The file that a counterexample is in. */
  fileOf({ path }: Saved): string | undefined {
    return this.files.get(path);
  }

  told(text: string): string {
    let told = text;
    for (const [path, file] of this.files) told = inFile(told, path, file);
    return asTyped(told, this.name);
  }

  /** The strings of an object that is printed as JSON. */
  toldJson(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    return this.files.has(value) ? (this.files.get(value) ?? null) : this.told(value);
  }

  /** Checks whose places are files of counterexamples, and whose lines are spelled as reports are. */
  toldSuite({ name, facts, checks }: CheckSuite): CheckSuite {
    return { name, facts, checks: checks.map((check) => this.toldCheck(check)) };
  }

  private toldCheck({ place, lines = [], ...check }: RunCheck): RunCheck {
    const told = { ...check, lines: lines.map((line) => visible(this.told(line))) };
    if (place === undefined) return told;
    const { files } = this;
    const file = files.has(place.file) ? files.get(place.file) : place.file;
    return file === undefined ? told : { ...told, place: { ...place, file } };
  }

  /** A counterexample of the corpus is in a file already. */
  private file(saved: Saved): string | undefined {
    const inCorpus = relative('', join(TOP, saved.path));
    if (existsSync(inCorpus) && readText(inCorpus) === saved.text) return inCorpus;
    if (this.folder === undefined) return undefined;
    try {
      return this.planFor(saved, this.folder);
    } catch (error) {
      this.notSaved(saved.path, error);
      return undefined;
    }
  }

  /** Earlier results are kept: another one of the same law gets a number. */
  private planFor({ path, text }: Saved, folder: string): string {
    const below = path.slice(CORPUS.length + 1);
    for (let number = 1; ; number++) {
      const file = join(folder, number === 1 ? below : below.replace(/(\.trace)?$/, `.${number}$1`));
      const own = asTyped(inFile(text, path, file), this.name);
      requireInside(folder, file);
      const planned = this.planned.find((other) => other.file === file);
      const earlier = planned?.text ?? (existsSync(file) ? readText(file) : undefined);
      if (earlier === undefined) this.planned.push({ path, file, text: own });
      if (earlier === undefined || earlier === own) return file;
    }
  }

  private notSaved(path: string, error: unknown): void {
    this.err(`attachcheck: ${path.slice(CORPUS.length + 1)} could not be saved: ${messageOf(error)}\n`);
  }
}

/** The message of what an action throws; undefined: nothing. */
function problemOf(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Throws when a symbolic link leads a file out of its directory, or a directory out of the working directory. */
function requireInside(folder: string, file: string): void {
  const isOwn = !isAbsolute(folder) && !normalize(folder).startsWith('..');
  const top = realpathSync(isOwn ? '' : existing(folder));
  const beyond = relative(top, realpathSync(existing(dirname(file))));
  if (beyond === '..' || beyond.startsWith(`..${sep}`) || isAbsolute(beyond))
    throw new InputError(`a symbolic link leads from ${dirname(file)} to another directory`);
}

/** The nearest directory above that exists. */
function existing(path: string): string {
  const whole = resolve(path);
  return existsSync(whole) ? whole : existing(dirname(whole));
}
