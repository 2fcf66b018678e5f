#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { AbiLine } from './commands/abi/abi-command.ts';
import { abiCommand } from './commands/abi/abi-command.ts';
import { abiOptions, combination } from './commands/abi/abi-options.ts';
import { sequenceJob } from './commands/check/attach-job.ts';
import { checkJob } from './commands/check/check.ts';
import { searchJob } from './commands/check/search.ts';
import { compareJob } from './commands/compare/compare-job.ts';
import { comparisonFor, designOptions, NUMBERS } from './commands/compare/compare-options.ts';
import { costJob } from './commands/cost/cost-answer.ts';
import { listFor } from './commands/cost/cost-options.ts';
import { explainFile } from './commands/explain/explain-job.ts';
import type { WaitingJob } from './commands/explore/explore.ts';
import { startExploring } from './commands/explore/explore.ts';
import { exploreJob } from './commands/explore/explore-job.ts';
import type { ExploreLine } from './commands/explore/explore-options.ts';
import { defaultExploration, exploreOptions, IN_ONE_WORKER } from './commands/explore/explore-options.ts';
import type { Brought } from './commands/image/brought.ts';
import { imageBytes, judgeBrought } from './commands/image/brought.ts';
import { parseSymbols } from './commands/image/symbols.ts';
import { imagesJob } from './commands/images/recordings.ts';
import { drive } from './commands/line/drive.ts';
import type { CaseOptions, SearchOptions } from './commands/line/options.ts';
import { caseOf, searchesFor } from './commands/line/options.ts';
import { paint } from './commands/line/paint.ts';
import { addQuestions } from './commands/line/questions.ts';
import { coloured } from './commands/line/terminal.ts';
import { listNames } from './commands/list/list.ts';
import type { RefineLine } from './commands/refine/refine-command.ts';
import { refineCommand } from './commands/refine/refine-command.ts';
import { replayFiles } from './commands/replay/replay.ts';
import { sequencesJob } from './commands/sequences/sequences.ts';
import { filesBelow, readBytes, readText } from './conformance/files.ts';
import type { Answer, Job } from './counterexamples/answer.ts';
import { EXIT } from './counterexamples/answer.ts';
import { CORPUS } from './counterexamples/images/describe.ts';
import { shellWord } from './counterexamples/text.ts';
import { InputError } from './model/core/input-error.ts';
import { UnsupportedInstruction } from './model/x86/unsupported.ts';

/** The top of the project, wherever this file was compiled to. */
const TOP = [import.meta.dirname, dirname(import.meta.dirname)].find((path) =>
  existsSync(join(path, 'package.json')),
)!;
const VERSION = (JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')) as { version: string }).version;
const RECORDINGS = relative('', join(TOP, 'conformance/recordings/trampolines.jsonl.gz'));
const RECORDED_HITS = relative('', join(TOP, 'conformance/recordings/hits.jsonl'));
const RECORDED_SEQUENCES = relative('', join(TOP, 'conformance/recordings/sequences.jsonl.gz'));

/** Attach combinations of a default run. */
const CASES = 8_000;
/** Sequences of client calls of a default run, for each kernel. */
const SEQUENCES = 400;

interface OutputOptions {
  readonly json?: boolean;
  readonly save?: boolean;
}

const cli = new Command('attachcheck')
  .description('Checks Linux attach semantics (BPF trampolines) with the machine code in the loop.')
  .version(VERSION)
  .option('--seed <n>', 'seed of the random search, or "random"', '1')
  .option('--cases <n>', 'attach combinations to draw', String(CASES))
  .option('--sequences <n>', 'sequences of client calls to draw for each kernel', String(SEQUENCES))
  .option('--scenarios <n>', 'scenarios to explore beside that, the first of them (default: all)')
  .option('--kernel <profile>', "search sequences in one kernel only: '6.12', or '6.12, imageLifecycle = C'")
  .option('--law <names>', 'search for breaches of these laws only (comma-separated)')
  .option('--planted <name>', 'plant a bug, and search for the breach of its law')
  .option('--sites', 'print every return site of the modelled functions, and how often it was taken')
  .option('--list', 'name all laws, planted bugs, designs and kernels, with a sentence each')
  .option('--save', `save a counterexample that is found under ${CORPUS}/`)
  .option('--json', 'print one JSON object instead of text')
  .allowExcessArguments()
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 held within the bound, 1 a law was broken, 2 wrong use or input,\n3 the checker failed (not modelled, diverged), 4 inconclusive, 130 interrupted.',
  )
  .action((options: SearchOptions, command: Command) => {
    const [unknown] = command.args;
    const names = command.commands.map((sub) => sub.name());
    if (unknown !== undefined)
      throw new InputError(`there is no command ${unknown}; there are ${names.join(', ')}`);
    if (options.list) return finish(command, listNames());
    const { images, sequences } = searchesFor(options);
    if (images !== undefined && sequences !== undefined)
      return finish(
        command,
        checkJob({
          recordings: [RECORDINGS],
          recordedSequences: [RECORDED_SEQUENCES],
          corpus: corpus(),
          search: images,
          sequences,
          exploration: startExploring(defaultExploration(options.scenarios), IN_ONE_WORKER),
        }),
      );
    return finish(command, images === undefined ? sequenceJob(sequences!) : searchJob(images));
  });

subcommand(
  'images [file...]',
  "compare recorded images, calls and refusals with the model (default: the project's recordings)",
).action((files: string[], _options: unknown, command: Command) =>
  finish(command, imagesJob(files.length > 0 ? files : [RECORDINGS])),
);

subcommand(
  'sequences [file...]',
  "replay recorded attach sequences in the model (default: the project's recordings)",
).action((files: string[], _options: unknown, command: Command) =>
  finish(command, sequencesJob(files.length > 0 ? files : [RECORDED_SEQUENCES])),
);

abiOptions(
  subcommand('abi', 'where arguments lie and who may share an image; with --kinds, one attach combination'),
).action((options: AbiLine, command: Command) => finish(command, abiCommand(options)));

combination(subcommand('image <file>', 'judge an image from your own kernel: raw bytes or hexadecimal text'))
  .requiredOption('--symbols <json>', 'file that names the addresses around the image (docs/images.md)')
  .action((file: string, options: CaseOptions & { symbols: string }, command: Command) =>
    finish(command, judgeBrought(brought(file, options))),
  );

subcommand('replay <file...>', 'do what saved counterexamples say once more').action(
  (files: string[], _options: unknown, command: Command) =>
    finish(command, replayFiles(files.map((path) => ({ path, text: readText(path) })))),
);

subcommand('explain <trace>', 'tell the run of a trace at length, with the stack at each moment')
  .option('--step <n>', 'this step only')
  .action((path: string, { step }: { step?: string }, command: Command) =>
    finish(command, explainFile({ path, text: readText(path) }, step)),
  );

exploreOptions(
  subcommand('explore', 'search every interleaving of operations and calls, step by step'),
).action((own: Partial<ExploreLine>, command: Command) => {
  const all: ExploreLine = command.optsWithGlobals();
  return finish(command, exploreJob({ ...all, seed: own.seed ?? all.seed }));
});

designOptions(subcommand('compare', 'count what designs of mass attach take, and what a hit takes'))
  .option('--n <numbers>', 'numbers of functions', NUMBERS)
  .action((_options: unknown, command: Command) =>
    finish(command, compareJob(comparisonFor(command.optsWithGlobals(), RECORDED_HITS))),
  );

designOptions(subcommand('cost <file>', 'count what designs of mass attach take for the functions of a list'))
  .option('--functions <globs>', "those of them with these names only: 'vfs_*,tcp_*'")
  .action((file: string, _options: unknown, command: Command) =>
    finish(command, costJob(listFor(file, command.optsWithGlobals()))),
  );

subcommand('refine [design...]', 'does one design of multi links behave as another, on every short history?')
  .option('--operations <n>', 'operations of a history, at the most', '4')
  .option('--all', 'every design against every other')
  .option('--workers <n>', 'threads of --all; the result does not depend on them', '2')
  .option('--save', `save a history that tells them apart under ${CORPUS}/`)
  .action((of: string[], line: RefineLine, command: Command) => finish(command, refineCommand(of, line)));

addQuestions({ subcommand, finish, recordings: relative('', join(TOP, 'conformance/recordings')) });

function subcommand(usage: string, description: string): Command {
  const [name = '', ...args] = usage.split(' ');
  const sub = cli
    .command(name)
    .description(description)
    .option('--json', 'print one JSON object instead of text')
    .exitOverride();
  for (const arg of args) sub.argument(arg);
  return sub;
}

function corpus(): { path: string; text: string }[] {
  return filesBelow(TOP, CORPUS, '.trace').map((path) => ({ path, text: readText(join(TOP, path)) }));
}

function brought(file: string, options: CaseOptions & { symbols: string }): Brought {
  return {
    bytes: imageBytes(readBytes(file), file),
    symbols: parseSymbols(readText(options.symbols), options.symbols),
    symbolsFile: options.symbols,
    case: caseOf(options),
    command: `npm run check -- image ${process.argv.slice(3).map(shellWord).join(' ')}`,
  };
}

/** Works a command off, prints its answer, and sets the exit code. */
async function finish(command: Command, work: Job | WaitingJob | Answer): Promise<void> {
  const options: OutputOptions = command.optsWithGlobals();
  const { answer, interrupted } = 'text' in work ? { answer: work, interrupted: false } : await drive(work);
  if (options.save)
    for (const { path, text } of answer.save) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      process.stderr.write(`saved ${path}\n`);
    }
  const exit = interrupted ? EXIT.INTERRUPTED : answer.exit;
  if (options.json) process.stdout.write(`${JSON.stringify({ ...answer.json, exit }, undefined, 2)}\n`);
  else process.stdout.write(`${coloured() ? paint(answer.text) : answer.text}\n`);
  process.exitCode = exit;
}

/** What went wrong, in one sentence, and the exit code for it. */
function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.HELD : EXIT.USAGE;
    return;
  }
  const exit = error instanceof InputError ? EXIT.USAGE : EXIT.FAILED;
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof InputError || error instanceof UnsupportedInstruction;
  const stack = !known && error instanceof Error ? `\n${error.stack}` : '';
  if (process.argv.includes('--json'))
    process.stdout.write(`${JSON.stringify({ exit, error: message }, undefined, 2)}\n`);
  process.stderr.write(`attachcheck: ${known ? '' : 'the checker failed: '}${message}${stack}\n`);
  process.exitCode = exit;
}

/** A reader that has seen enough (`| head`) is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await cli.parseAsync().catch(fail);
