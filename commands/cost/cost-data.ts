import { namesIn, PHASES, tallyOf } from '../../checker/cost/compared.ts';
import type { LeftOut } from '../../checker/cost/function-list.ts';
import type { ListCost } from '../../checker/cost/list-cost.ts';
import type { Costs } from './cost-answer.ts';

/** The costs for `--format json`; `docs/json.md` describes it. */
export function costJson({ costs, absent, without }: Costs) {
  return { without: without.map(leftOutJson), designs: costs.map(designJson), absent };
}

function leftOutJson({ why, by, functions }: LeftOut) {
  return { why, by: by ?? null, count: functions.length, functions };
}

function designJson({ client, attached, refused, cost, isByFormula }: ListCost) {
  const counts = namesIn(PHASES.map((phase) => tallyOf(cost, phase))).map((name) => ({
    count: name,
    attach: tallyOf(cost, 'attach')[name] ?? null,
    detach: tallyOf(cost, 'detach')[name] ?? null,
  }));
  return {
    name: client.name,
    profile: client.profile,
    attached,
    refused: refused.map(leftOutJson),
    together: 'refused' in cost ? cost.refused : null,
    byFormula: isByFormula,
    counts,
  };
}

const HEAD = ['design', 'kernel', 'function', 'errno', 'why', 'routine', 'guard'];

/** The functions that refuse programs, a row for each and each design, for `--format csv`. */
export function refusalRows({ costs, without }: Costs): string[][] {
  return [
    HEAD,
    ...without.flatMap((left) => rowsOf('', '', left)),
    ...costs.flatMap(({ client, refused }) =>
      refused.flatMap((left) => rowsOf(client.name, client.profile, left)),
    ),
  ];
}

function rowsOf(design: string, profile: string, { why, by, functions }: LeftOut): string[][] {
  const [kernel = ''] = profile.split(', ');
  return functions.map((name) => [
    design,
    kernel,
    name,
    by?.errno ?? '',
    why,
    by?.routine ?? '',
    by?.guard ?? '',
  ]);
}
