import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Answer, Exit, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { COMMANDS } from '../all.ts';
import { declareCheck } from '../check/check-command.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { drive } from './drive.ts';
import type { Format } from './format.ts';
import { csvText } from './format.ts';
import { loadModules } from './own-modules.ts';
import { paint } from './paint.ts';
import type { Terminal } from './terminal.ts';
import { asTyped } from './typed.ts';

/** What a command line asked for and got. */
export interface AskedCommand {
  readonly answer: Answer;
  readonly exit: Exit;
  readonly output: OutputOptions;
}

interface OutputOptions {
  readonly json?: boolean;
  readonly format?: Format;
  readonly save?: boolean;
  readonly with?: readonly string[];
}

/** Does what a command line asks for, prints it, and says with which code the process ends. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<Exit> {
  try {
    const asked = await ask(argv, terminal);
    print(asked, terminal);
    return asked.exit;
  } catch (error) {
    return failed(error, argv, terminal);
  }
}

/** The answer to a command line. Throws `InputError` or `CommanderError` when there is none. */
export async function ask(argv: readonly string[], { out, err, status }: Terminal): Promise<AskedCommand> {
  let asked: AskedCommand | undefined;
  const cli = new Command('attachcheck').exitOverride().configureOutput({ writeOut: out, writeErr: err });
  const finish = async (command: Command, work: Job | WaitingJob | Answer) => {
    const { answer, interrupted } =
      'text' in work ? { answer: work, interrupted: false } : await drive(work, status);
    const exit = interrupted ? EXIT.INTERRUPTED : answer.exit;
    asked = { answer, exit, output: command.optsWithGlobals() };
  };
  const own: string[] = [];
  const line = {
    subcommand: (usage: string, text: string) => withModules(subcommand(cli, usage, text), own),
    finish,
    argv,
  };
  withModules(cli, own).hook('preAction', () => loadModules(own));
  declareCheck(cli, line);
  for (const declare of COMMANDS) declare(line);
  await cli.parseAsync(argv, { from: 'user' });
  if (asked === undefined) throw new Error('a command ended without an answer');
  return asked;
}

/** In front of a command and behind it: modules are loaded before anything is asked. */
function withModules(command: Command, own: string[]): Command {
  return command.option(
    '--with <module>',
    'load designs, laws and kernels of your own, as often as wished',
    (path) => {
      own.push(path);
      return own;
    },
  );
}

function subcommand(cli: Command, usage: string, description: string): Command {
  const [name = '', ...args] = usage.split(' ');
  const sub = cli
    .command(name)
    .description(description)
    .option('--json', 'print one JSON object instead of text')
    .exitOverride();
  for (const arg of args) sub.argument(arg);
  return sub;
}

/** Saves what was found, if that is wished, and prints the answer. */
function print({ answer, exit, output }: AskedCommand, { out, err, coloured }: Terminal): void {
  if (output.save)
    for (const { path, text } of answer.save) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      err(`saved ${path}\n`);
    }
  const format = output.format ?? (output.json ? 'json' : 'text');
  const text = asTyped(answer.text, output.with ?? []);
  out(`${printed({ ...answer, text, exit }, format, coloured)}\n`);
}

function printed({ text, json, csv = [], exit }: Answer, format: Format, coloured: boolean): string {
  switch (format) {
    case 'json':
      return JSON.stringify({ ...json, exit }, undefined, 2);
    case 'csv':
      return csvText(csv);
    case 'text':
      return coloured ? paint(text) : text;
    default:
      return unreachable(format);
  }
}

/** Says what went wrong, in one sentence. */
function failed(error: unknown, argv: readonly string[], { out, err }: Terminal): Exit {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.HELD : EXIT.USAGE;
  const exit = error instanceof InputError ? EXIT.USAGE : EXIT.FAILED;
  const message = asTyped(error instanceof Error ? error.message : String(error), []);
  const known = error instanceof InputError || error instanceof UnsupportedInstruction;
  const stack = !known && error instanceof Error ? `\n${error.stack}` : '';
  if (argv.includes('--json')) out(`${JSON.stringify({ exit, error: message }, undefined, 2)}\n`);
  err(`attachcheck: ${known ? '' : 'the checker failed: '}${message}${stack}\n`);
  return exit;
}
