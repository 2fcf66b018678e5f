import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { NamedScenario, ScenarioResult, TaskSearch } from './exploration.ts';
import { newBreach } from './exploration.ts';
import { isVacuousScenario } from './refused-operations.ts';

/** The verdict on a user's scenario in one kernel. */
export type OwnVerdict =
  | { readonly is: 'broken'; readonly law: string; readonly planted: string | undefined }
  /** Broken as listed for the kernel: the laws that are, and how many others held. */
  | { readonly is: 'known'; readonly broken: number; readonly held: number }
  | { readonly is: 'held'; readonly held: number }
  | { readonly is: 'not found'; readonly planted: string }
  | { readonly is: 'vacuous' | 'not applicable' | 'stopped' | 'out of states' };

/** The result of a law in one scenario. */
export interface OwnLaw {
  readonly law: TaskLaw;
  readonly is: 'broken' | 'held' | 'not applicable';
  /** In how many moves and ends it applied. */
  readonly moves: number;
}

/** The laws of a search, each with its result. */
export function ownLaws({ laws }: TaskSearch, { breaches, witnesses }: ScenarioResult): OwnLaw[] {
  return laws.map((law) => {
    const moves = witnesses.find(([name]) => name === law.name)?.[1] ?? 0;
    const isBroken = breaches.some((breach) => breach.law === law.name);
    return { law, moves, is: isBroken ? 'broken' : moves > 0 ? 'held' : 'not applicable' };
  });
}

/** A breach that is not listed comes first, then a result that leaves the question open. */
export function ownVerdict(
  search: TaskSearch,
  own: NamedScenario,
  result: ScenarioResult | undefined,
): OwnVerdict {
  if (result === undefined || result.end === 'stopped') return { is: 'stopped' };
  const breach = newBreach(result);
  if (breach !== undefined) return { is: 'broken', law: breach.law, planted: search.planted?.name };
  if (result.end === 'states') return { is: 'out of states' };
  if (isVacuousScenario(own, result)) return { is: 'vacuous' };
  if (search.planted !== undefined) return { is: 'not found', planted: search.planted.name };
  const laws = ownLaws(search, result);
  const [broken, held] = (['broken', 'held'] as const).map(
    (is) => laws.filter((own) => own.is === is).length,
  ) as [number, number];
  if (broken > 0) return { is: 'known', broken, held };
  return held > 0 ? { is: 'held', held } : { is: 'not applicable' };
}

/** A known breach does not break a search, as for built-in scenarios. */
export const OWN_EXITS: Readonly<Record<OwnVerdict['is'], Exit>> = {
  broken: EXIT.BROKEN,
  known: EXIT.HELD,
  held: EXIT.HELD,
  'not found': EXIT.INCONCLUSIVE,
  vacuous: EXIT.INCONCLUSIVE,
  'not applicable': EXIT.INCONCLUSIVE,
  stopped: EXIT.INCONCLUSIVE,
  'out of states': EXIT.INCONCLUSIVE,
};

/** The last line: `✓ 6.12: 14 laws exercised, all held`, and the bound within which they did. */
export function verdictText(kernel: string, verdict: OwnVerdict, bound: string): string {
  switch (verdict.is) {
    case 'broken':
      return verdict.planted === undefined
        ? `✗ ${kernel}: ${verdict.law} is broken, a new breach`
        : `✗ ${kernel}: the planted bug was found: ${verdict.planted}, ${verdict.law} is broken`;
    case 'known':
      return `known ${kernel}: ${counted(verdict.broken, 'law')} broken as listed; ${verdict.held} held${bound}`;
    case 'held':
      return `✓ ${kernel}: ${counted(verdict.held, 'law')} exercised, all held${bound}`;
    case 'not found':
      return `? ${kernel}: the planted bug ${verdict.planted} was not found${bound}`;
    case 'vacuous':
      return `? ${kernel}: vacuous: no operation overlapped with anything`;
    case 'not applicable':
      return `? ${kernel}: no law applies`;
    case 'stopped':
      return `? ${kernel}: inconclusive: stopped before its end`;
    case 'out of states':
      return `? ${kernel}: inconclusive: more states than the bound`;
    default:
      return unreachable(verdict);
  }
}
