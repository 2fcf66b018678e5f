import type { ComparedCost, Phase } from '../../checker/cost/compared.ts';
import { PHASES } from '../../checker/cost/compared.ts';
import { count } from '../../counterexamples/text.ts';
import type { PageCell, PageSection } from '../page/static-page.ts';
import { asPrinted, figure, pageOfSections, table } from '../page/static-page.ts';
import { benchmarkLines } from './benchmark-text.ts';
import type { Comparison, Comparisons } from './compare-job.ts';
import { argumentLines, costModelLines, globalCodeLines } from './cost-model-text.ts';
import { printOrder } from './growth-text.ts';
import type { HitGroup } from './hit-text.ts';
import { HIT_HEAD, hitRow, linesBelowHits } from './hit-text.ts';
import { countRow, countsOf, massLegend, refusals } from './mass-text.ts';

/** What designs cost, as tables; the benchmark and the model of time follow as they are printed. */
export function comparePage(comparison: Comparison, all: Comparisons): string {
  const { benchmark, numbers } = comparison;
  const head = {
    title: 'What mass attach costs',
    lead: 'A program is attached to N functions, and detached: the kernel has these N functions and no others, with one to four arguments in turn.',
    code: `npm run check -- compare --n ${numbers.join()}`,
  };
  return pageOfSections(head, [
    designSection(all),
    ...PHASES.map((phase) => phaseSection(all.compared, numbers, phase)),
    { id: 'legend', title: 'The counts', body: asPrinted(massLegend(all.compared)) },
    hitSection(all.groups),
    {
      id: 'benchmark',
      title: 'Measured on real hardware',
      body: asPrinted(benchmarkLines(benchmark, all.columns, all.agreed)),
    },
    {
      id: 'time',
      title: 'A model of time',
      body: [costModelLines, globalCodeLines, argumentLines]
        .map((lines) => asPrinted(lines(all.costModel)))
        .join('\n'),
    },
  ]);
}

/** The designs that are compared, and how each grows; those that cannot run, with the reason. */
function designSection({ compared, absent }: Comparisons): PageSection {
  const refused = new Map(refusals(compared).map(({ name, why }) => [name, why]));
  const body = table({
    caption: 'The designs, and how their cost grows in N',
    head: ['design', 'on', 'how', 'grows'],
    groups: [
      {
        rows: [
          ...compared.map((cost) => {
            const { name, profile, sentence } = cost.client;
            const grows = refused.has(name) ? `${name} ${refused.get(name)}` : printOrder(cost);
            return [name, kernelIn(profile), sentence, grows];
          }),
          ...absent.map(({ name, profile, why }) => [name, kernelIn(profile), `cannot run: ${why}`, '–']),
        ],
      },
    ],
  });
  return { id: 'designs', title: 'Designs', body };
}

function kernelIn(profile: string): string {
  return profile.split(', multiLinks')[0]!;
}

function phaseSection(
  compared: readonly ComparedCost[],
  numbers: readonly number[],
  phase: Phase,
): PageSection {
  const body = table({
    caption: `${phase}: each count for N functions, and how it grows`,
    head: ['design', ...numbers.map((n) => figure(count(n))), 'grows as'],
    groups: countsOf(compared, phase).map((title) => ({
      title,
      rows: compared.map((cost) => figures(countRow(cost, title, phase))),
    })),
  });
  return { id: phase, title: phase === 'attach' ? 'Attaching' : 'Detaching', body };
}

function hitSection(groups: readonly HitGroup[]): PageSection {
  const body = table({
    caption: 'One traced call minus the same call untraced; without its body, with mitigations off',
    head: HIT_HEAD.map((name, i) => (i === 0 ? 'hit' : figure(name))),
    groups: groups.map(({ profile, hits }) => ({
      title: profile,
      rows: hits.map((hit) => hitRow(hit).map((cell, i) => (i === 0 ? cell : figure(cell)))),
    })),
  });
  return { id: 'hits', title: 'One hit', body: [body, asPrinted(linesBelowHits(groups))].join('\n') };
}

/** Of a row its name and its last cell are texts, and the others numbers. */
function figures(row: readonly string[]): PageCell[] {
  return row.map((cell, i) => (i === 0 || i === row.length - 1 ? cell : figure(cell)));
}
