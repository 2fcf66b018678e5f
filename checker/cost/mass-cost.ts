import type { Action } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import type { Cost } from '../../model/cost/cost.ts';
import { counting } from '../../model/cost/cost.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { CostClient } from './client.ts';
import type { RefusedCall } from './refused-call.ts';
import { refusedBy } from './refused-call.ts';

/** Counts by their names, grace periods by flavour and by who waits: `rcu_tasks waited for`. */
export type CostTally = Readonly<Record<string, number>>;

/** The cost of attaching to functions, and of detaching; or the refusal of the kernel. */
export type MassCost =
  | { readonly attach: CostTally; readonly detach: CostTally }
  | { readonly refused: RefusedCall };

/** Functions take one to four arguments, in turn: a design may have to distinguish them. */
const ARGUMENT_COUNTS = 4;

/**
 * The cost for a client to attach to all functions of a kernel that has `n` of them and no others, and to detach;
 * background work is run to its end, and counted.
 */
export function massCost(client: CostClient, n: number): MassCost {
  const signatures = Array.from({ length: n }, (_, i) => `u64 x${1 + (i % ARGUMENT_COUNTS)} -> u64`);
  return costOfAll(client, signatures);
}

/** The same for functions of these types. */
export function costOfAll({ profile, attach, detach }: CostClient, signatures: readonly string[]): MassCost {
  const names = signatures.map((_, i) => `f${i + 1}`);
  const functions = signatures.map((signature, i) => tracedFunction(item(names, i), i + 1, signature));
  const k = bootKernel({ profile, boot: 'default', functions });
  const attached = costOf(k, attach(names));
  if ('refused' in attached) return attached;
  const detached = costOf(k, detach(names));
  return 'refused' in detached ? detached : { attach: attached.tally, detach: detached.tally };
}

function costOf(k: Kernel, actions: readonly Action[]): { tally: CostTally } | { refused: RefusedCall } {
  const { cost, watch } = counting();
  for (const action of [...actions, { do: 'settle' } as const]) {
    const refused = refusedBy(k, action, watch);
    if (refused !== undefined) return { refused };
  }
  return { tally: tallyOf(cost) };
}

/** The names of counts, in the order of the report. */
const NAMES: readonly (readonly [Exclude<keyof Cost, 'waited' | 'handedOver'>, string])[] = [
  ['programLoads', 'program loads'],
  ['images', 'images'],
  ['imageBytes', 'bytes of text'],
  ['textPokes', 'text pokes'],
  ['syncIpis', 'sync IPIs'],
  ['hashLookups', 'hash look-ups'],
  ['entriesCopied', 'entries copied'],
  ['recordVisits', 'record visits'],
];

function tallyOf(cost: Cost): CostTally {
  const periods = (of: Cost['waited'], how: string) =>
    Object.entries(of).map(([flavour, times]) => [`${flavour} ${how}`, times] as const);
  return Object.fromEntries([
    ...NAMES.map(([key, name]) => [name, cost[key]] as const),
    ...periods(cost.waited, 'waited for'),
    ...periods(cost.handedOver, 'handed over'),
  ]);
}
