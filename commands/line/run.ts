import { Command, CommanderError } from 'commander';
import type { Answer, Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { COMMANDS } from '../all.ts';
import { declareCheck } from '../check/check-command.ts';
import { failedSuites } from '../formats/complete.ts';
import type { CommandWork } from './command-line.ts';
import type { Driven } from './drive.ts';
import { drive } from './drive.ts';
import { checkFormatIn, checksDocument, requireFormat } from './format.ts';
import { addHelp } from './help.ts';
import { loadModules } from './own-modules.ts';
import { Printer } from './printer.ts';
import type { Terminal } from './terminal.ts';
import { asTyped } from './typed.ts';
import { visible } from './visible.ts';

/** A command line, and its whole answer, spelled as reports are. */
export interface AskedCommand {
  readonly answer: Answer;
  readonly exit: Exit;
}

/** Runs a command line, prints its answer, and returns the exit code of the process. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<Exit> {
  try {
    return (await ask(argv, terminal)).exit;
  } catch (error) {
    return failed(error, argv, terminal);
  }
}

/** Does the same, and returns the answer. Throws `InputError` or `CommanderError` if there is none. */
export async function ask(argv: readonly string[], terminal: Terminal): Promise<AskedCommand> {
  let asked: AskedCommand | undefined;
  const { out, status } = terminal;
  const cli = new Command('attachcheck')
    .exitOverride()
    .configureOutput({ writeOut: out, outputError: () => {} });
  const finish = async (command: Command, work: Promise<CommandWork>) => {
    asked = await answered(await work, new Printer(terminal, argv, command.optsWithGlobals()), status);
  };
  const own: string[] = [];
  const line = {
    subcommand: (usage: string, text: string) => withModules(subcommand(cli, usage, text), own),
    finish,
    argv,
  };
  withModules(cli, own).hook('preAction', (_, command) => {
    requireFormat(command);
    return loadModules(own);
  });
  declareCheck(cli, line);
  for (const declare of COMMANDS) declare(line);
  addHelp(cli, terminal.name);
  await cli.parseAsync(argv, { from: 'user' });
  if (asked === undefined) throw new Error('a command ended without an answer');
  return asked;
}

/** Before and after a command: modules are loaded first. */
function withModules(command: Command, own: string[]): Command {
  return command.option('--with <module>', 'load your own designs, laws and kernels; repeatable', (path) => {
    own.push(path);
    return own;
  });
}

/** Runs a command, and prints its answer as it arrives. */
export async function answered(
  work: CommandWork,
  printer: Printer,
  status: Terminal['status'],
): Promise<AskedCommand> {
  const driven: Driven =
    'text' in work
      ? { answer: work, exit: work.exit, signal: undefined }
      : await drive(work, { status, part: (part) => printer.part(part) });
  return { answer: { ...driven.answer, text: printer.end(driven) }, exit: driven.exit };
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

/** Prints the error, in one sentence. */
function failed(error: unknown, argv: readonly string[], { out, err, name }: Terminal): Exit {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.HELD;
  const isUsage = error instanceof InputError || error instanceof CommanderError;
  const exit = isUsage ? EXIT.USAGE : EXIT.FAILED;
  const message = visible(
    asTyped(error instanceof CommanderError ? usageText(error) : messageOf(error), name),
  );
  const known = isUsage || error instanceof UnsupportedInstruction;
  const stack = !known && error instanceof Error ? `\n${error.stack}` : '';
  const format = checkFormatIn(argv);
  if (asksForJson(argv)) out(`${JSON.stringify({ exit, error: message }, undefined, 2)}\n`);
  else if (format !== undefined)
    out(checksDocument(format, { suites: failedSuites(message), exit, signal: undefined, argv }));
  err(`attachcheck: ${known ? '' : 'the checker failed: '}${message}${stack}\n`);
  return exit;
}

/** An error of commander, as one sentence with the word that was probably meant. */
function usageText({ message }: CommanderError): string {
  return message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?');
}

/** Also for a command line that cannot be parsed to its end. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      word === '--json' || word === '--format=json' || (word === 'json' && argv[i - 1] === '--format'),
  );
}
