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
import { requirePlace } from '../line/asked-place.ts';
import { BENCHMARK } from './benchmark.ts';
import type { Comparison } from './compare-job.ts';
import { EXPLANATIONS } from './explanations.ts';

/** As the command line gives them. */
export interface CompareLine {
  readonly n: string;
  readonly names?: string;
  readonly kernel?: string;
  readonly designs?: string;
  /** The file of its page. */
  readonly html?: string;
}

/** Functions of the largest kernel: its text has room for this number. */
const MOST = 65_536;

/** Kernels between which the benchmark's lies: younger than the first, older than the last. */
const BESIDE_BENCHMARK = KERNELS.filter((kernel) => kernel !== '6.1');

/** Files with recorded hits: those of the model's clients, and those of the benchmark with its programs. */
export interface HitFiles {
  readonly hits: string;
  readonly benchmarkHits: string;
}

/** What `compare` compares. */
export function comparisonFor(
  { n, names, html, ...whose }: CompareLine,
  { hits, benchmarkHits }: HitFiles,
): Comparison {
  if (html !== undefined) requirePlace('--html', html);
  return {
    numbers: names === undefined ? numbersIn(n) : [listedIn(names, readText(names))],
    names,
    clients: clientsFor(whose),
    kernels: whose.kernel === undefined ? BESIDE_BENCHMARK : [whose.kernel],
    recorded: parseRecordedHits(readText(hits), hits),
    benchmarked: parseRecordedHits(readText(benchmarkHits), benchmarkHits),
    benchmark: BENCHMARK,
    explanations: EXPLANATIONS,
    ...(html === undefined ? {} : { html }),
  };
}

function numbersIn(n: string): number[] {
  return n.split(',').map((word) => wholeNumber(word.trim(), '--n', MOST, 1));
}

/** The number of functions in a list of names, which has no types. */
function listedIn(path: string, text: string): number {
  if (!isNameList(text))
    throw new InputError(
      `${path}: not a list of names; for a list with types: npm run check -- cost ${shellWord(path)}`,
    );
  const { length } = parseNames(text, path);
  if (length > MOST) throw new InputError(`${path}: ${length} functions exceed the limit of ${MOST}`);
  return length;
}

/** The designs that are named, or all, each on the kernel that is named, or on one that supports it. */
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
  throw new InputError(`--designs ${name}: unknown design; ${meantOr(name, known)}`);
}

/** Of all designs, unsupported ones are listed with the reason; a named design must be supported. */
function requirePossible(client: CostClient | Absent): CostClient {
  if (!('why' in client)) return client;
  const { name, profile, why } = client;
  const others = KERNELS.filter((kernel) => !('why' in clientOn(name, kernel)));
  throw new InputError(
    `${name} cannot run on ${profile}: ${why}; it can run on ${others.length === 0 ? 'none' : others.join(', ')}`,
  );
}

/** A kernel as it is: designs have their own option. */
function requirePlain(kernel: string): void {
  const own = profileNamed(kernel);
  if (own.multiLinks !== profileNamed(own.kernel).multiLinks)
    throw new InputError(`--kernel takes no design here: use --designs ${own.multiLinks}`);
}
