import { Command, CommanderError, Option } from 'commander';
import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { COMMANDS } from '../all.ts';
import { declareCheck } from '../check/check-command.ts';
import type { AskedCommand } from './answered.ts';
import { COLOUR_TIMES, colouredBy } from './colours.ts';
import type { CommandLine, CommandWork } from './command-line.ts';
import { requireFormat } from './format.ts';
import { addHelp } from './help.ts';
import { loadModules } from './own-modules.ts';
import { heading } from './paint.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command line, prints its answer, and returns the exit code of the process. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<Exit> {
  try {
    return (await ask(argv, terminal)).exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.HELD;
    const { failed } = await import('./failed.ts');
    return failed(error, argv, terminal);
  }
}

/** Does the same, and returns the answer. Throws `InputError` or `CommanderError` if there is none. */
export async function ask(argv: readonly string[], terminal: Terminal): Promise<AskedCommand> {
  let asked: AskedCommand | undefined;
  const finish = async (command: Command, work: Promise<CommandWork>) => {
    const [{ answered }, found] = await Promise.all([import('./answered.ts'), work]);
    asked = await answered(found, { terminal, argv, options: command.optsWithGlobals() });
  };
  await declared(argv, terminal, finish).parseAsync(argv, { from: 'user' });
  if (asked === undefined) throw new Error('a command ended without an answer');
  return asked;
}

/** The command line with all its commands, each of which ends in `finish`. */
export function declared(
  argv: readonly string[],
  terminal: Pick<Terminal, 'out' | 'coloured' | 'name'>,
  finish: CommandLine['finish'],
): Command {
  const cli = new Command('attachcheck')
    .exitOverride()
    .configureHelp({ styleTitle: heading })
    .configureOutput({
      writeOut: terminal.out,
      outputError: () => {},
      getOutHasColors: () => colouredBy(argv, terminal.coloured),
    });
  const own: string[] = [];
  const line = {
    subcommand: (usage: string, text: string) => withGlobals(subcommand(cli, usage, text), own),
    finish,
    argv,
  };
  withGlobals(cli, own).hook('preAction', (_, command) => {
    requireFormat(command);
    return loadModules(own);
  });
  declareCheck(cli, line);
  for (const declare of COMMANDS) declare(line);
  addHelp(cli, terminal.name);
  return cli;
}

/** Options that may be written before and after a command: modules are loaded first. */
function withGlobals(command: Command, own: string[]): Command {
  return command
    .addOption(new Option('--color <when>', 'colours in text').choices(COLOUR_TIMES))
    .option('--with <module>', 'load your own designs, laws and kernels; repeatable', (path) => {
      own.push(path);
      return own;
    });
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
