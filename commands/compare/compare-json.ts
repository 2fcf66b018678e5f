import { measuredTime } from '../../checker/cost/benchmark.ts';
import type { ComparedCost, Phase } from '../../checker/cost/compared.ts';
import { countNames } from '../../checker/cost/compared.ts';
import { orderOf } from '../../checker/cost/growth.ts';
import { codeOf } from '../../checker/cost/recorded-hit.ts';
import type { RefusedCall } from '../../checker/cost/refused-call.ts';
import type { Agreement } from './benchmark-text.ts';
import type { Comparison, Comparisons } from './compare-job.ts';
import { printGrowth, printOrder } from './growth-text.ts';
import type { HitRow } from './hit-text.ts';

/** A comparison for `--json`; `docs/json.md` describes it. */
export function compareJson({ numbers, names, benchmark }: Comparison, all: Comparisons) {
  const { baseline, hits, source } = benchmark;
  return {
    numbers,
    names: names ?? null,
    clients: all.compared.map((cost) => clientJson(cost)),
    absent: all.absent,
    hits: all.groups.map(({ profile, hits: group }) => ({ profile, hits: group.map(hitJson) })),
    benchmark: {
      source,
      baseline,
      hits: hits.map((rate) => ({ ...rate, nanoseconds: measuredTime(benchmark, rate) })),
      agreements: all.agreed.map(agreementJson),
    },
    model: all.costModel.halves.map(({ model, fitted, others }) => ({ ...model, fitted, predicted: others })),
    posted: all.costModel.figures,
  };
}

function clientJson(cost: ComparedCost) {
  const { client, runs } = cost;
  return {
    name: client.name,
    sentence: client.sentence,
    profile: client.profile,
    refused: refusalIn(runs) ?? null,
    grows: printOrder(cost),
    fitted: cost.fitted,
    attach: countsJson(cost, 'attach'),
    detach: countsJson(cost, 'detach'),
  };
}

function refusalIn(runs: ComparedCost['runs']): RefusedCall | undefined {
  for (const run of runs) if (run !== undefined && 'refused' in run) return run.refused;
  return undefined;
}

/** One value for each number of functions. */
function countsJson(cost: ComparedCost, phase: Phase) {
  const { runs, growth } = cost;
  return countNames(cost, phase).map((name) => ({
    count: name,
    values: runs.map((run) => (run === undefined || 'refused' in run ? null : (run[phase][name] ?? 0))),
    grows: printGrowth(growth[phase][name]),
    order: orderOf(growth[phase][name]),
  }));
}

function hitJson({ name, modelled, cost, inC, recorded }: HitRow) {
  return {
    name,
    modelled,
    cost:
      cost === undefined
        ? null
        : {
            ...cost,
            cFunctions: Object.entries(cost.cFunctions).map(([fn, calls]) => ({ name: fn, calls })),
          },
    inC: inC ?? null,
    recorded:
      recorded === undefined
        ? null
        : {
            code: codeOf(recorded),
            functions: Object.entries(recorded.functions).map(([fn, item]) => ({ name: fn, ...item })),
          },
  };
}

function agreementJson({ kernel, by, points, spearman, kendall, ...rest }: Agreement) {
  return {
    kernel,
    by,
    hits: points.length,
    spearman,
    kendall,
    deviations: rest.deviations.flatMap(({ pairs, why }) =>
      pairs.map((pair) => ({ ...pair, why: why ?? null })),
    ),
    undercounted: rest.undercounted.map(({ name, why }) => ({ name, why: why ?? null })),
  };
}
