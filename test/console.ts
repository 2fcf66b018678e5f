import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sources, TOP } from './sources.ts';

/** What a run of the command line left behind. */
export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What `npm run build` has made of main.ts, if nothing was changed since: it starts twice as fast as the sources. */
const COMPILED = join(TOP, 'dist/main.js');
const START = isUpToDate() ? [COMPILED] : ['--import', 'tsx', 'main.ts'];

function isUpToDate(): boolean {
  if (!existsSync(COMPILED)) return false;
  const { mtimeMs } = statSync(COMPILED);
  return sources('.ts').every(({ path }) => statSync(join(TOP, path)).mtimeMs < mtimeMs);
}

/** Runs `attachcheck ARGS`, as `npm run check -- ARGS` does. */
export function attachcheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...START, ...args], {
    cwd: TOP,
    encoding: 'utf8',
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
    maxBuffer: 1 << 28,
  });
  return { exit: status, stdout, stderr };
}

/** One command of a documentation, and the output that is shown under it. */
export interface Shown {
  readonly command: string;
  readonly output: readonly string[];
}

/** The commands in the `console` blocks of a Markdown text. */
export function shownCommands(markdown: string): Shown[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...output] = text.trimEnd().split('\n');
        return { command, output };
      }),
  );
}

/** Whether an output is the one shown, in which a line `…` stands for any number of lines. */
export function isShown(output: string, shown: readonly string[]): boolean {
  const pattern = shown.map((line) => (line === '…' ? '(?:.*\n)*?' : `${escaped(line)}\n`)).join('');
  return new RegExp(`^${pattern}${shown.at(-1) === '…' ? '' : '$'}`).test(`${output.trimEnd()}\n`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The words of a shell command line with single quotes. */
export function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}
