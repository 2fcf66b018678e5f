import { join } from 'node:path';
import type { Command } from 'commander';
import { filesBelow, readText } from '../../conformance/files.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/images/describe.ts';
import { InputError } from '../../model/core/input-error.ts';
import { DEFAULT_FAMILY } from '../explore/exploration.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { exploreBeside } from '../explore/explore.ts';
import { commandOf, defaultExploration, IN_ONE_WORKER, scenariosMost } from '../explore/explore-options.ts';
import { judgeFile } from '../judge/judge-command.ts';
import type { CommandLine } from '../line/command-line.ts';
import { unknownCommand } from '../line/help.ts';
import { isFile } from '../line/is-file.ts';
import type { SearchOptions } from '../line/options.ts';
import { NO_SAVE, SAVE, searchesFor, VERBOSE } from '../line/options.ts';
import { recording, TOP, version } from '../line/project.ts';
import { listNames } from '../list/list.ts';
import { sequenceJob } from './attach-job.ts';
import { checkJob } from './check.ts';
import { designJob, isForDesign, kernelOf } from './design-run.ts';
import { searchJob } from './search.ts';

/** Attach combinations of a default run. */
const CASES = 8_000;
/** Sequences of client calls of a default run, for each kernel. */
const SEQUENCES = 400;

const EXIT_CODES =
  '\nExit codes: 0 held within the bound, 1 a law was broken, 2 wrong use or input,\n3 the checker failed (not modelled, diverged), 4 inconclusive; 129, 130, 143\nended by SIGHUP, SIGINT, SIGTERM, 141 by a reader that has gone.';

/** The command line without a command: the default run, the searches that are parts of it, and the list of names. */
export function declareCheck(cli: Command, { finish }: CommandLine): void {
  cli
    .description('Checks Linux attach semantics (BPF trampolines) with the machine code in the loop.')
    .version(version())
    .argument('[file]', 'judge a sequence that you have written');
  searchOptions(cli)
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES)
    .action((named: string | undefined, options: SearchLine, command: Command) => {
      if (named !== undefined && isFile(named))
        return finish(command, judgeFile(named, (options.save ?? false) !== false));
      if (named !== undefined) throw unknownCommand(named, command);
      return finish(command, options.list ? listNames() : searchOrCheck(options));
    });
}

interface SearchLine extends SearchOptions {
  readonly first?: boolean;
}

function searchOptions(cli: Command): Command {
  return cli
    .option('--seed <n>', 'seed of the random search, or "random"', '1')
    .option('--cases <n>', 'attach combinations to draw', String(CASES))
    .option('--sequences <n>', 'sequences of client calls to draw for each kernel', String(SEQUENCES))
    .option('--scenarios <n>', 'scenarios to explore beside that, the first of them (default: all)')
    .option(
      '--kernel <profile>',
      "search sequences in one kernel only: '6.12', or '6.12, imageLifecycle = C'; or check a design: batch",
    )
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

function searchOrCheck({ first = false, ...given }: SearchLine): Answer | Job | WaitingJob {
  const { kernel } = given;
  const options = kernel === undefined ? given : { ...given, kernel: kernelOf(kernel) };
  const { images, sequences } = searchesFor(options);
  const isAll = images !== undefined && sequences !== undefined;
  const isDesign = isAll && kernel !== undefined && isForDesign(kernel);
  if (first && !isDesign)
    throw new InputError('--first ends the run of a design: --kernel DESIGN --first, without --law');
  if (isDesign)
    return designJob(kernelOf(kernel), { sequences, scenarios: scenariosMost(options.scenarios), first });
  if (images === undefined) return sequenceJob(sequences!);
  if (sequences === undefined) return searchJob(images);
  const exploration = defaultExploration(options.scenarios);
  return checkJob({
    recordings: [recording('trampolines.jsonl.gz')],
    recordedSequences: [recording('sequences.jsonl.gz')],
    corpus: filesBelow(TOP, CORPUS, '.trace').map((path) => ({ path, text: readText(join(TOP, path)) })),
    search: images,
    sequences,
    explore: () => exploreBeside(exploration, IN_ONE_WORKER),
    exploreCommand: commandOf(DEFAULT_FAMILY),
  });
}
