import type { RunCheck } from '../../counterexamples/run-check.ts';
import { counted } from '../../counterexamples/text.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { SearchedLaws } from '../check/law-checks.ts';
import { lawChecks } from '../check/law-checks.ts';
import type { MiscountedIn, TaskExplored } from './task-verdict.ts';
import { isUnmet, isVacuous, miscountedIn, unfinished } from './task-verdict.ts';

const COUNTED = {
  name: 'attachcheck/listed-breaches-are-counted',
  sentence: 'A scenario shows a listed breach in the number of moves and ends that is written down.',
};

/** A check for each law on interleavings, for each listed breach, and for counts that are not as listed. */
export function taskChecks(
  explored: TaskExplored,
  found: Pick<SearchedLaws, 'save' | 'report' | 'known'>,
): RunCheck[] {
  const { search, results } = explored;
  const missing = unfinished(explored);
  const short = results.filter(({ end }) => end === 'states').length;
  return [
    ...lawChecks({
      ...found,
      laws: search.laws.map((law) => {
        return { name: law.name, sentence: law.sentence, open: openText(explored, law) };
      }),
      unasked: search.unasked,
      left: [
        ...(missing === 0 ? [] : [`${counted(missing, 'scenario')} not explored to the end`]),
        ...(short === 0 ? [] : [`${counted(short, 'scenario')} with more states than the bound`]),
      ],
      noun: 'scenario',
    }),
    ...(found.report === undefined ? miscountedIn(explored) : []).map(miscountedCheck),
  ];
}

function miscountedCheck({ known, pinned, seen, scenario: { name, scenario } }: MiscountedIn): RunCheck {
  const line = `${known}: ${counted(seen, 'occurrence')}, and ${pinned} listed`;
  return {
    name: `${scenario.profile}: ${name}: ${known}`,
    rule: COUNTED,
    outcome: 'failed',
    lines: [line],
    cause: known,
  };
}

/** Why an exploration to its end does not decide a law. */
function openText(explored: TaskExplored, law: TaskLaw): string | undefined {
  const { planted } = explored.search;
  if (planted !== undefined) return `the planted bug ${planted.name} was not found`;
  if (isUnmet(explored, law)) return 'met in none of these scenarios';
  return isVacuous(explored, law) ? 'vacuous: exercised by no interleaving' : undefined;
}
