#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Command, CommanderError } from 'commander';
import type { Brought } from './conformance/brought.ts';
import { imageBytes, judgeBrought } from './conformance/brought.ts';
import { checkJob } from './conformance/check.ts';
import { comparisonFor, NUMBERS } from './conformance/compare/compare-options.ts';
import { drive } from './conformance/drive.ts';
import type { WaitingJob } from './conformance/explore/explore.ts';
import { startExploring } from './conformance/explore/explore.ts';
import { exploreJob } from './conformance/explore/explore-job.ts';
import type { ExploreLine } from './conformance/explore/explore-options.ts';
import { defaultExploration, IN_ONE_WORKER } from './conformance/explore/explore-options.ts';
import { filesBelow, readBytes, readText } from './conformance/files.ts';
import { KNOWN } from './conformance/known/known.ts';
import type { CaseOptions, SearchOptions } from './conformance/options.ts';
import { caseOf, searchesFor } from './conformance/options.ts';
import { imagesJob } from './conformance/recordings.ts';
import type { RefineLine } from './conformance/refine/refine-command.ts';
import { refineCommand } from './conformance/refine/refine-command.ts';
import { sequencesJob } from './conformance/sequences.ts';
import { parseSymbols } from './conformance/symbols.ts';
import { coloured } from './conformance/terminal.ts';
import { stubOfAnswer, stubsAnswer } from './conformance/tracepoint/stubs-command.ts';
import { judgeCombination } from './counterexamples/abi.ts';
import type { Answer, Job } from './counterexamples/answer.ts';
import { EXIT } from './counterexamples/answer.ts';
import { sequenceJob } from './counterexamples/attach/attach-job.ts';
import { compareJob } from './counterexamples/compare/compare-job.ts';
import { CORPUS } from './counterexamples/describe.ts';
import { listNames } from './counterexamples/list.ts';
import { paint } from './counterexamples/paint.ts';
import { replayFiles } from './counterexamples/replay.ts';
import { searchJob } from './counterexamples/search.ts';
import { InputError } from './model/core/input-error.ts';
import { BOOTS, KERNELS } from './model/core/profile.ts';
import { UnsupportedInstruction } from './model/x86/unsupported.ts';

/* The command line, longer than it should be on purpose: each command with its options, and what it is wired to. */

/** The top of the project, wherever this file was compiled to. */
const TOP = [import.meta.dirname, dirname(import.meta.dirname)].find((path) =>
  existsSync(join(path, 'package.json')),
)!;
const VERSION = (JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')) as { version: string }).version;
const RECORDINGS = relative('', join(TOP, 'conformance/recordings/trampolines.jsonl.gz'));
const RECORDED_STUBS = relative('', join(TOP, 'conformance/recordings/stubs.jsonl.gz'));
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
  .option('--list', 'name all laws, planted bugs and kernels, with a sentence each')
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

combination(subcommand('abi', 'judge one attach combination: verdict, frame and annotated listing')).action(
  (options: CaseOptions, command: Command) => finish(command, judgeCombination(caseOf(options), KNOWN)),
);

combination(subcommand('image <file>', 'judge an image from your own kernel: raw bytes or hexadecimal text'))
  .requiredOption('--symbols <json>', 'file that names the addresses around the image (docs/images.md)')
  .action((file: string, options: CaseOptions & { symbols: string }, command: Command) =>
    finish(command, judgeBrought(brought(file, options))),
  );

subcommand('replay <file...>', 'do what saved counterexamples say once more').action(
  (files: string[], _options: unknown, command: Command) =>
    finish(command, replayFiles(files.map((path) => ({ path, text: readText(path) })))),
);

subcommand('explore', 'search every interleaving of operations and calls, step by step')
  .option('--kernel <profile>', 'in one kernel only')
  .option('--cpus <n>', 'processors', '1')
  .option('--tasks <n>', 'tasks: those that do no operation call', '3')
  .option('--operations <n>', '2: of two clients; 3: one goes on, or there are three', '2')
  .option('--only <operations>', "scenarios with these operations only: 'attach f1, detach f1'")
  .option('--depth <n>', 'steps from the start, at the most')
  .option('--states <n>', 'states of each scenario, at the most')
  .option('--max-time <seconds>', 'stop after that, with what was covered')
  .option('--workers <n>', 'threads; the result does not depend on them', '1')
  .option('--planted <name>', 'plant a bug, and search for the breach of its law')
  .option('--law <names>', 'ask these laws only (comma-separated)')
  .option('--save', `save a counterexample that is found under ${CORPUS}/`)
  .option('--checkpoint <file>', 'write there what is done, and where the rest stands')
  .option('--resume <file>', 'go on from a checkpoint')
  .option('--random <n>', 'draw so many scenarios for each kernel instead, and schedules at random')
  .option('--schedules <n>', 'random schedules for each scenario', '20')
  .option('--seed <n>', 'seed of --random, or "random"')
  .action((own: Partial<ExploreLine>, command: Command) => {
    const all: ExploreLine = command.optsWithGlobals();
    return finish(command, exploreJob({ ...all, seed: own.seed ?? all.seed }));
  });

subcommand('compare', 'count what designs of mass attach take, and what a hit takes')
  .option('--n <numbers>', 'numbers of functions', NUMBERS)
  .option('--kernel <profile>', 'all on this kernel (default: on 6.12 where they can stand)')
  .option('--designs <names>', "these only: 'single links, tracing multi'")
  .action((_options: unknown, command: Command) =>
    finish(command, compareJob(comparisonFor(command.optsWithGlobals(), RECORDED_HITS))),
  );

subcommand(
  'stubs [types]',
  "the stubs of raw tracepoints of three kernels, or of one prototype: 'ptr, ptr, u32'",
).action((types: string | undefined, _options: unknown, command: Command) =>
  finish(command, types === undefined ? stubsAnswer(RECORDED_STUBS) : stubOfAnswer(types)),
);

subcommand('refine [design...]', 'does one design of multi links behave as another, on every short history?')
  .option('--operations <n>', 'operations of a history, at the most', '4')
  .option('--all', 'every design against every other')
  .option('--workers <n>', 'threads of --all; the result does not depend on them', '2')
  .option('--save', `save a history that tells them apart under ${CORPUS}/`)
  .action((of: string[], line: RefineLine, command: Command) => finish(command, refineCommand(of, line)));

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

/** The options that describe an attach combination. */
function combination(command: Command): Command {
  return command
    .requiredOption('--sig <types>', "signature: 'u64 x9, s16b, u32 -> u64'")
    .requiredOption(
      '--kinds <programs>',
      "programs in order of attachment: 'fentry, fexit cookie=0x1 get_func_ip'",
    )
    .option('--kernel <version>', KERNELS.join(', '), '7.2')
    .option('--boot <name>', BOOTS.join(', '), 'default')
    .option('--ibt', 'the function starts with endbr64 (default: as the kernel was recorded)')
    .option('--no-ibt', 'it does not')
    .option('--live-patch', 'a live patch redirects the function before anything is attached')
    .option('--tail-calls', 'the target is a BPF program that may make tail calls');
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
    command: `npm run check -- image ${process.argv.slice(3).map(quoted).join(' ')}`,
  };
}

function quoted(argument: string): string {
  return /^[\w./:=+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
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
