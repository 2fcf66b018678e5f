import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readText } from '../../conformance/files.ts';
import type { Saved } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/images/describe.ts';
import { withCommands } from '../../counterexamples/report-commands.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { TOP } from './project.ts';
import { asTyped } from './typed.ts';

/** A report that names the file of a counterexample instead of its place in the corpus; undefined: it is in none. */
function inFile(text: string, path: string, file: string | undefined): string {
  if (file === undefined)
    return withCommands(text, (command) => (command.endsWith(` replay ${path}`) ? undefined : command));
  const named = (part: string) => part.replaceAll(path, () => shellWord(file));
  return named(withCommands(text, named));
}

/**
 * The counterexamples of a run. Each is saved before it is reported; the report then names that file, and the program
 * as the user started it: reports name a place in the corpus.
 */
export class Results {
  /** The file of each path in the corpus; undefined: none. */
  private readonly files = new Map<string, string | undefined>();

  constructor(
    /** The directory for new ones; undefined: none. */
    private readonly folder: string | undefined,
    private readonly name: string,
    private readonly err: (text: string) => void,
  ) {}

  keep(saved: readonly Saved[]): void {
    for (const found of saved) {
      const file = this.file(found);
      if (!this.files.has(found.path)) this.files.set(found.path, file);
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

  /** A counterexample of the corpus is in a file already. */
  private file(saved: Saved): string | undefined {
    const inCorpus = relative('', join(TOP, saved.path));
    if (existsSync(inCorpus) && readText(inCorpus) === saved.text) return inCorpus;
    if (this.folder === undefined) return undefined;
    try {
      return this.written(saved, this.folder);
    } catch (error) {
      this.err(
        `attachcheck: ${saved.path.slice(CORPUS.length + 1)} could not be saved: ${messageOf(error)}\n`,
      );
      return undefined;
    }
  }

  /** Earlier results are kept: another one of the same law gets a number. */
  private written({ path, text }: Saved, folder: string): string {
    const below = path.slice(CORPUS.length + 1);
    for (let number = 1; ; number++) {
      const file = join(folder, number === 1 ? below : below.replace(/(\.trace)?$/, `.${number}$1`));
      const own = asTyped(inFile(text, path, file), this.name);
      if (!existsSync(file)) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, own);
        this.err(`saved ${file}\n`);
        return file;
      }
      if (readText(file) === own) return file;
    }
  }
}
