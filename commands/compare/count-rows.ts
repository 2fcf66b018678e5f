import type { ComparedCost, Phase } from '../../checker/cost/compared.ts';
import { countNames, PHASES } from '../../checker/cost/compared.ts';
import type { Comparison, Comparisons } from './compare-job.ts';
import { printGrowth } from './growth-text.ts';

const HEAD = ['design', 'kernel', 'phase', 'count', 'functions', 'value', 'grows as'];

/** What attaching and detaching takes, a row for each count and each number of functions, for `--format csv`. */
export function countRows({ numbers }: Comparison, { compared }: Comparisons): string[][] {
  return [HEAD, ...compared.flatMap((cost) => PHASES.flatMap((phase) => phaseRows(cost, phase, numbers)))];
}

function phaseRows(cost: ComparedCost, phase: Phase, numbers: readonly number[]): string[][] {
  const { client, runs, growth } = cost;
  const [kernel = ''] = client.profile.split(', ');
  return countNames(cost, phase).flatMap((name) =>
    numbers.map((n, i) => {
      const run = runs[i];
      const value = run === undefined || 'refused' in run ? '' : String(run[phase][name] ?? 0);
      return [client.name, kernel, phase, name, String(n), value, printGrowth(growth[phase][name])];
    }),
  );
}
