import { toEnd } from '../../model/core/to-end.ts';
import type { CostClient } from './client.ts';
import { compareClient, NOT_LINEAR_MOST, orders, PHASES } from './compared.ts';
import type { LeftOut, ListedFunction } from './function-list.ts';
import { leftOut } from './function-list.ts';
import { valueAt } from './growth.ts';
import type { CostTally, MassCost } from './mass-cost.ts';
import { costOfAll } from './mass-cost.ts';
import { refusalsOf } from './refusals.ts';

/** The cost of a client for all functions of a list that accept it. */
export interface ListCost {
  readonly client: CostClient;
  /** Functions that it attaches to. */
  readonly attached: number;
  /** Those that refuse it, by the reason. */
  readonly refused: readonly LeftOut[];
  readonly cost: MassCost;
  /** Counts follow from their growth; counts that depend on the types of the functions are missing. */
  readonly isByFormula: boolean;
}

/** Functions that have a type. */
export type TypedFunction = ListedFunction & { readonly signature: string };

/** The cost for a client to attach to the functions of a list, and to detach; those that refuse it are left out. */
export function listCost(client: CostClient, functions: readonly TypedFunction[]): ListCost {
  const whyNot = refusalsOf(
    client,
    functions.map(({ signature }) => signature),
  );
  const taken = functions.filter(({ signature }) => whyNot(signature) === undefined);
  const signatures = taken.map(({ signature }) => signature);
  const others = functions.flatMap(({ name, signature }) => {
    const off = whyNot(signature);
    return off === undefined ? [] : [{ name, ...off }];
  });
  const formula = taken.length > NOT_LINEAR_MOST ? byFormula(client, taken.length) : undefined;
  return {
    client,
    attached: taken.length,
    refused: leftOut(others),
    cost: formula ?? (taken.length === 0 ? NOTHING : costOfAll(client, signatures)),
    isByFormula: formula !== undefined,
  };
}

const NOTHING: MassCost = { attach: {}, detach: {} };

/** Counts that depend on the types of the functions, not only on their number. */
const BY_TYPE: readonly string[] = ['bytes of text'];

/** For a count that does not grow linearly, its growth; undefined: it does, and can be run. */
function byFormula(client: CostClient, n: number): MassCost | undefined {
  const { growth } = toEnd(compareClient(client, []));
  if (orders(growth).every((order) => order === 'linear' || order === 'constant')) return undefined;
  const [attach, detach] = PHASES.map((phase): CostTally => {
    const known = Object.entries(growth[phase]).flatMap(([name, growth]) =>
      growth !== undefined && 'constant' in growth && !BY_TYPE.includes(name)
        ? [[name, valueAt(growth, n)]]
        : [],
    );
    return Object.fromEntries(known);
  });
  return { attach: attach!, detach: detach! };
}
