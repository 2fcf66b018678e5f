import type { AskedCommand } from '../commands/line/answered.ts';
import { ask, run } from '../commands/line/run.ts';
import type { Terminal } from '../commands/line/terminal.ts';

/** It shows nothing, saves nothing, and spells the program as reports have it. */
export const QUIET: Terminal = {
  out: () => {},
  err: () => {},
  coloured: false,
  status: () => {},
  name: 'npm run check --',
  results: undefined,
};

/** What a run of the command line left behind. */
export interface CommandRan {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `attachcheck ARGS`, as `npm run check -- ARGS` does, in this process. */
export async function attachcheck(
  args: readonly string[],
  { coloured = false, results }: { coloured?: boolean; results?: string } = {},
): Promise<CommandRan> {
  let stdout = '';
  let stderr = '';
  const out = (text: string) => {
    stdout += text;
  };
  const err = (text: string) => {
    stderr += text;
  };
  const exit = await run(args, { ...QUIET, out, err, coloured, results });
  return { exit, stdout, stderr };
}

const ASKED = new Map<string, Promise<AskedCommand>>();

/** What `attachcheck ARGS` comes to, as text and as an object at once: what is long is done once. */
export function asked(args: readonly string[]): Promise<AskedCommand> {
  const key = JSON.stringify(args);
  const answer = ASKED.get(key) ?? ask(args, QUIET);
  ASKED.set(key, answer);
  return answer;
}

/** One command of a documentation, and the output that is shown under it. */
export interface ShownCommand {
  readonly command: string;
  readonly output: readonly string[];
}

/** The commands in the `console` blocks of a Markdown text. */
export function shownCommands(markdown: string): ShownCommand[] {
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

/** A text whose commands do not continue on further lines. */
export function withWholeCommands(text: string): string {
  return text.replaceAll(/ \\\n +/g, ' ');
}

/** Whether an output is the one shown, in which a line `…` matches any number of lines. */
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
