import { isDeepStrictEqual } from 'node:util';
import { argumentCosts } from '../../checker/cost/argument-costs.ts';
import type { Benchmark, Explanations } from '../../checker/cost/benchmark.ts';
import type { Absent, CostClient } from '../../checker/cost/client.ts';
import { clientNames, clientOn } from '../../checker/cost/client.ts';
import type { ComparedCost } from '../../checker/cost/compared.ts';
import { compareClient } from '../../checker/cost/compared.ts';
import { fitOnHalf, predictCost } from '../../checker/cost/cost-model.ts';
import { COUNTED_ON, costRows, systemCallRow } from '../../checker/cost/cost-rows.ts';
import { countedCallers, postedFigures } from '../../checker/cost/global-callers.ts';
import { hitCost, hitKindsOf } from '../../checker/cost/hit.ts';
import type { RecordedHit } from '../../checker/cost/recorded-hit.ts';
import { instructionsInC } from '../../checker/cost/recorded-hit.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT, untilStopped } from '../../counterexamples/answer.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { WaitingJob } from '../explore/explore.ts';
import type { Agreement, BenchmarkColumn } from './benchmark-text.ts';
import { agreements, benchmarkLines } from './benchmark-text.ts';
import { compareJson } from './compare-json.ts';
import { comparePage } from './compare-page.ts';
import type { CostModelAnswer } from './cost-model-text.ts';
import { argumentLines, costModelLines, globalCodeLines } from './cost-model-text.ts';
import { countRows } from './count-rows.ts';
import { costsInWorkers } from './design-pool.ts';
import type { DesignQuestion } from './design-worker.ts';
import type { HitGroup, HitRow } from './hit-text.ts';
import { hitLines } from './hit-text.ts';
import { massLines } from './mass-text.ts';

/** The subjects of the comparison. */
export interface Comparison {
  /** Numbers of functions. */
  readonly numbers: readonly number[];
  /** The file that lists them; undefined: the numbers were given. */
  readonly names: string | undefined;
  readonly clients: readonly (CostClient | Absent)[];
  /** Kernels whose hits are printed, and compared with the benchmark. */
  readonly kernels: readonly string[];
  readonly recorded: readonly RecordedHit[];
  /** Recorded hits of the benchmark, with its programs. */
  readonly benchmarked: readonly RecordedHit[];
  readonly benchmark: Benchmark;
  readonly explanations: Explanations;
  /** The file of its page. */
  readonly html?: string;
}

/** The outcome. */
export interface Comparisons {
  readonly compared: readonly ComparedCost[];
  readonly absent: readonly Absent[];
  readonly groups: readonly HitGroup[];
  readonly columns: readonly BenchmarkColumn[];
  readonly agreed: readonly Agreement[];
  readonly costModel: CostModelAnswer;
}

/** Counts the cost of designs and of a hit; a comparison has no verdict. */
export function* compareJob(comparison: Comparison): Job {
  const { clients, numbers } = comparison;
  const compared: ComparedCost[] = [];
  for (const client of clients) {
    if (isAbsent(client)) continue;
    const steps = compareClient(client, numbers);
    const cost = yield* untilStopped(steps, (done) => ({ part: client.name, done, unit: 'function' }));
    if (cost === undefined) break;
    compared.push(cost);
  }
  return yield* withHits(comparison, compared);
}

/** The same, with designs in workers; the answer does not depend on their number. */
export async function* compareInWorkers(comparison: Comparison, workers: number): WaitingJob {
  const clients = comparison.clients.filter((client): client is CostClient => !isAbsent(client));
  const questions = clients.map(({ name, profile }): DesignQuestion => {
    return { of: 'numbers', client: { name, profile }, numbers: comparison.numbers };
  });
  const answers = yield* costsInWorkers(questions, workers);
  const compared = answers.flatMap((answer, i): ComparedCost[] =>
    answer.of === 'numbers' ? [{ client: item(clients, i), ...answer.cost }] : [],
  );
  return yield* withHits(comparison, compared);
}

/** What a comparison with these costs of designs has beside them. */
function* withHits(comparison: Comparison, compared: readonly ComparedCost[]): Job {
  const { clients, benchmark, explanations } = comparison;
  yield { part: 'hits' };
  const groups = groupsOf(comparison);
  const columns = columnsOf(comparison, groups);
  return answerOf(comparison, {
    compared,
    absent: clients.filter(isAbsent),
    groups,
    columns,
    agreed: agreements(benchmark, columns, explanations),
    costModel: costModelOf(comparison),
  });
}

function isAbsent(client: CostClient | Absent): client is Absent {
  return 'why' in client;
}

/** The hits of each kernel, and of each design that is compared. */
function groupsOf({ kernels, clients, recorded }: Comparison): HitGroup[] {
  const designs = clients.flatMap((item) => (isAbsent(item) ? [] : [item.profile]));
  return [
    ...kernels.map((profile) => hitsOf(profile, 'of the kernel', recorded)),
    ...designs.map((profile) => hitsOf(profile, 'of the design', recorded)),
  ].filter(({ hits }) => hits.length > 0);
}

function hitsOf(
  profile: string,
  which: 'of the kernel' | 'of the design',
  recorded: readonly RecordedHit[],
): HitGroup {
  const own = profileNamed(profile);
  const { kernel } = own;
  const plain = profileNamed(kernel);
  const asRecorded = own.multiLinks === plain.multiLinks;
  const known = isDeepStrictEqual({ ...own, multiLinks: '' }, { ...plain, multiLinks: '' }) ? recorded : [];
  const hits = hitKindsOf(profile, which).map((kind): HitRow => {
    const cost = hitCost(profile, kind);
    return {
      name: kind.name,
      cost,
      modelled: kind.attach !== undefined,
      inC: cost === undefined ? undefined : instructionsInC(cost, kernel, kind.name, known),
      recorded: asRecorded ? known.find((hit) => hit.kernel === kernel && hit.hit === kind.name) : undefined,
    };
  });
  return { profile, hits };
}

/** The hits of each kernel that are compared with the benchmark; groups that are counted already are not again. */
export function columnsOf(comparison: Comparison, counted: readonly HitGroup[] = []): BenchmarkColumn[] {
  return comparison.kernels.map((kernel) => columnOf(kernel, comparison, counted));
}

/**
 * The measured hits that a kernel has: its own, and those of the measured design, if the kernel supports it.
 */
function columnOf(
  kernel: string,
  { recorded, benchmark }: Comparison,
  counted: readonly HitGroup[],
): BenchmarkColumn {
  const known = (profile: string) => counted.find((group) => group.profile === profile)?.hits;
  const own = known(kernel) ?? hitsOf(kernel, 'of the kernel', recorded).hits;
  if (!clientNames().includes(benchmark.design)) return { kernel, hits: own };
  const measured = clientOn(benchmark.design, kernel);
  if (isAbsent(measured)) return { kernel, hits: own };
  const { profile } = measured;
  return { kernel, hits: [...own, ...(known(profile) ?? hitsOf(profile, 'of the design', recorded).hits)] };
}

/** The model of time: both ways to halve the rows, and what the global trampoline executes. */
export function costModelOf({ benchmark, recorded, benchmarked }: Comparison): CostModelAnswer {
  const sources = { plain: recorded, benchmarked };
  const rows = costRows(benchmark, sources);
  const first = fitOnHalf(benchmark.order, rows, false);
  return {
    halves: [first, fitOnHalf(benchmark.order, rows, true)],
    systemCall: predictCost(first.model, systemCallRow(benchmark, sources)),
    figures: postedFigures(),
    callers: countedCallers(),
    ways: argumentCosts(benchmarked),
    inC: (code) => instructionsInC(code, COUNTED_ON, '', recorded),
  };
}

function answerOf(comparison: Comparison, all: Comparisons): Answer {
  const { benchmark } = comparison;
  const text = [
    ...massLines(comparison, all),
    '',
    ...hitLines(all.groups),
    '',
    ...benchmarkLines(benchmark, all.columns, all.agreed),
    '',
    ...costModelLines(all.costModel),
    '',
    ...globalCodeLines(all.costModel),
    '',
    ...argumentLines(all.costModel),
  ].join('\n');
  const json = { command: 'compare', exit: EXIT.HELD, ...compareJson(comparison, all) };
  const { html } = comparison;
  const files = html === undefined ? [] : [{ file: html, content: comparePage(comparison, all) }];
  return { text, json, csv: countRows(comparison, all), exit: EXIT.HELD, save: [], files };
}
