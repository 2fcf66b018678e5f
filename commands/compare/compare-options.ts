import type { Command } from 'commander';
import { Option } from 'commander';
import type { Absent, CostClient } from '../../checker/cost/client.ts';
import { clientNames, clientOn } from '../../checker/cost/client.ts';
import { readText } from '../../conformance/files.ts';
import { parseRecordedHits } from '../../conformance/hits/recorded-hits.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { meantOr } from '../../model/core/nearest.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { isNameList, parseNames } from '../cost/name-list.ts';
import type { CommandLine } from '../line/command-line.ts';
import { withFormats } from '../line/format.ts';
import { recording } from '../line/project.ts';
import { BENCHMARK } from './benchmark.ts';
import type { Comparison } from './compare-job.ts';
import { compareJob } from './compare-job.ts';
import { EXPLANATIONS } from './explanations.ts';

/** As the command line gives them. */
export interface CompareLine {
  readonly n: string;
  readonly names?: string;
  readonly kernel?: string;
  readonly designs?: string;
}

/** Functions of the largest kernel that is asked for; there is room for so many in its text. */
const MOST = 65_536;

/** The numbers of functions when none are named. */
const NUMBERS = '1,38,1000';

/** Kernels with what came between them: the benchmark ran on one that is younger than the first, and older than the last. */
const BESIDE_BENCHMARK = KERNELS.filter((kernel) => kernel !== '6.1');

export function declareCompare({ subcommand, finish }: CommandLine): void {
  withFormats(
    designOptions(subcommand('compare', 'count what designs of mass attach take, and what a hit takes')),
  )
    .option('--n <numbers>', 'numbers of functions', NUMBERS)
    .addOption(
      new Option(
        '--names <list>',
        'as many as a file lists, one a line: available_filter_functions, kallsyms',
      ).conflicts('n'),
    )
    .action((_options: unknown, command: Command) =>
      finish(command, compareJob(comparisonFor(command.optsWithGlobals(), recording('hits.jsonl')))),
    );
}

/** What `compare` compares; `hits` is the file with recorded hits. */
export function comparisonFor({ n, names, ...whose }: CompareLine, hits: string): Comparison {
  return {
    numbers: names === undefined ? numbersIn(n) : [listedIn(names, readText(names))],
    names,
    clients: clientsFor(whose),
    kernels: whose.kernel === undefined ? BESIDE_BENCHMARK : [whose.kernel],
    recorded: parseRecordedHits(readText(hits), hits),
    benchmark: BENCHMARK,
    explanations: EXPLANATIONS,
  };
}

function numbersIn(n: string): number[] {
  return n.split(',').map((word) => atLeastOne(wholeNumber(word.trim(), '--n', MOST)));
}

/** How many functions a list names: of their types it says nothing. */
function listedIn(path: string, text: string): number {
  if (!isNameList(text))
    throw new InputError(
      `${path}: it is no list of names; with types: npm run check -- cost ${shellWord(path)}`,
    );
  const { length } = parseNames(text, path);
  if (length > MOST) throw new InputError(`${path}: ${length} functions are more than ${MOST}`);
  return length;
}

/** The designs that are named, or all of them, each on the kernel that is named, or on one that it can stand on. */
export function clientsFor({
  kernel,
  designs,
}: Pick<CompareLine, 'kernel' | 'designs'>): (CostClient | Absent)[] {
  if (kernel !== undefined) requirePlain(kernel);
  const names = designs?.split(',').map((name) => designNamed(name.trim()));
  if (names === undefined) return clientNames().map((name) => clientOn(name, kernel));
  return names.map((name) => requirePossible(clientOn(name, kernel)));
}

function designNamed(name: string): string {
  const known = clientNames();
  if (known.includes(name)) return name;
  throw new InputError(`--designs ${name} is not known; ${meantOr(name, known)}`);
}

/** Of all designs those that cannot run on a kernel are told with the rest; one that is asked for has to. */
function requirePossible(client: CostClient | Absent): CostClient {
  if (!('why' in client)) return client;
  const { name, profile, why } = client;
  const others = KERNELS.filter((kernel) => !('why' in clientOn(name, kernel)));
  throw new InputError(
    `${name} cannot run on ${profile}: ${why}; it can on ${others.length === 0 ? 'none' : others.join(', ')}`,
  );
}

/** A kernel as it is: designs are named by an option of their own. */
function requirePlain(kernel: string): void {
  const own = profileNamed(kernel);
  if (own.multiLinks !== profileNamed(own.kernel).multiLinks)
    throw new InputError(`--designs ${own.multiLinks} says which design, not --kernel`);
}

function atLeastOne(n: number): number {
  if (n === 0) throw new InputError('--n 0 is no number of functions: from 1 on');
  return n;
}

/** The options that say which designs, and on which kernel. */
export function designOptions(command: Command): Command {
  return command
    .option('--kernel <profile>', 'all on this kernel (default: on 6.12 where they can stand)')
    .option('--designs <names>', "these only: 'single links, tracing multi'");
}
