import type { Command } from 'commander';
import { DEFAULT_CASES, DEFAULT_SEQUENCES } from '../../counterexamples/default-bounds.ts';
import { InputError } from '../../model/core/input-error.ts';
import { EXPLORE_WORKER } from '../explore/explore-start.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { checkFormatIn, VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { unknownCommand } from '../line/help.ts';
import { prepareWorkers } from '../line/idle-workers.ts';
import { isFile } from '../line/is-file.ts';
import { NO_SAVE, SAVE, SHARD, SHARD_FILE, VERBOSE } from '../line/option-texts.ts';
import { version } from '../line/project.ts';
import { threadsBeside } from '../line/threads.ts';
import type { ExportOptions } from '../timeline/exports.ts';
import { exportedBreach, exportedOf, withExports } from '../timeline/exports.ts';
import type { SearchLine } from './default-run.ts';

const EXIT_CODES =
  '\nExit codes: 0 held within the bound, 1 a law was broken, 2 wrong use or input,\n3 the checker failed (not modelled, diverged), 4 inconclusive; 129, 130, 143\nended by SIGHUP, SIGINT, SIGTERM, 141 by a reader that has gone.';

/** The command line without a command: the default run, the searches that are parts of it, and the list of names. */
export function declareCheck(cli: Command, { finish, argv }: CommandLine): void {
  cli
    .description('Checks Linux attach semantics (BPF trampolines) with the machine code in the loop.')
    .version(version())
    .argument('[file]', 'judge a sequence that you have written');
  searchOptions(cli)
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES)
    .action((named: string | undefined, options: SearchLine & ExportOptions, command: Command) => {
      if (named !== undefined && !isFile(named)) throw unknownCommand(named, command);
      const work =
        named === undefined
          ? searched(options, argv)
          : exportedOf(() => verdict(named, options), options, [named]);
      return finish(command, work);
    });
}

/** A search with the files of its first breach; with `--sites` the page is that of the return sites. */
function searched(
  { html, ...line }: SearchLine & ExportOptions,
  argv: readonly string[],
): Promise<CommandWork> {
  const page = html === undefined ? {} : { html };
  return line.sites === true
    ? exportedBreach(() => answer({ ...line, ...page }, argv), line)
    : exportedBreach(() => answer(line, argv), { ...line, ...page });
}

function searchOptions(cli: Command): Command {
  return withFormats(withExports(cli), VERDICT_FORMATS)
    .option('--seed <n>', 'seed of the random search, or "random"', '1')
    .option('--cases <n>', 'attach combinations to draw', String(DEFAULT_CASES))
    .option('--sequences <n>', 'sequences of client calls to draw for each kernel', String(DEFAULT_SEQUENCES))
    .option('--scenarios <n>', 'scenarios to explore beside that, the first of them (default: all)')
    .option(
      '--kernel <profile>',
      "search sequences in one kernel only: '6.12', or '6.12, imageLifecycle = C'; or check a design: batch",
    )
    .option('--shard <i/n>', SHARD)
    .option('--shard-file <file>', SHARD_FILE)
    .option('--first', 'end the check of a design at the first breach')
    .option('--law <names>', 'search for breaches of these laws only (comma-separated)')
    .option('--planted <name>', 'plant a bug, and search for the breach of its law')
    .option('--sites', 'print every return site of the modelled functions, and how often it was taken')
    .option('--list', 'name all laws, planted bugs, designs and kernels, with a sentence each')
    .option('--save [folder]', SAVE)
    .option('--no-save', NO_SAVE)
    .option('--verbose', VERBOSE)
    .option('--json', 'print one JSON object instead of text');
}

async function answer(options: SearchLine, argv: readonly string[]): Promise<CommandWork> {
  const { list, shard } = options;
  const format = checkFormatIn(argv);
  if (format !== undefined && list)
    throw new InputError(`--format ${format} is for verdicts, and not for --list`);
  if (list) return (await import('../list/list.ts')).listNames();
  if (shard !== undefined)
    return (await import('../shard/shard-job.ts')).shardJob(
      { ...options, shard },
      { is: 'check', line: options },
      argv,
    );
  // The default run explores: its threads start while this one loads the sections.
  if ([options.kernel, options.law, options.planted].every((asked) => asked === undefined))
    prepareWorkers(EXPLORE_WORKER, threadsBeside());
  const { searchOrCheck } = await import('./default-run.ts');
  return searchOrCheck(options);
}

async function verdict(file: string, { save = false }: SearchLine): Promise<CommandWork> {
  const { judgeFile } = await import('../judge/judge-command.ts');
  return judgeFile(file, save !== false);
}
