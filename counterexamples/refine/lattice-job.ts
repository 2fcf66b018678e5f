import { groundsFor } from '../../properties/refine/bound.ts';
import type { History } from '../../properties/refine/retelling.ts';
import type { Answer, Job } from '../answer.ts';
import { EXIT } from '../answer.ts';
import { counted } from '../text.ts';
import type { Verdict } from './lattice.ts';
import { Lattice } from './lattice.ts';
import type { Refined } from './refined.ts';
import { Behaviours, exitOf, refine } from './refined.ts';
import { spellHistory, waysOf } from './ways.ts';

/** All designs against each other. */
export interface LatticeQuestion {
  readonly designs: readonly string[];
  /** The kernels on which two of them are compared. */
  readonly kernelsOf: (pair: readonly [string, string]) => History['profiles'];
  /** Operations of a history, at the most. */
  readonly operations: number;
}

/** Compares every design with every other, in both directions; what one has shown is not worked out again. */
export function* latticeJob(question: LatticeQuestion): Job {
  const behaviours = new Behaviours();
  const verdicts: Verdict[] = [];
  for (const pair of pairsOf(question.designs)) {
    const last = yield* compare(question, pair, behaviours);
    if (last.compared.found.length === 0 && last.compared.length < last.length) break;
    verdicts.push(verdictOf(pair, last));
  }
  return answerOf(question, verdicts, behaviours);
}

function pairsOf(designs: readonly string[]): (readonly [string, string])[] {
  return designs.flatMap((one) =>
    designs.filter((other) => other !== one).map((other) => [one, other] as const),
  );
}

/** The first comparison by which two designs differ, or the last one. */
function* compare(
  { kernelsOf, operations }: LatticeQuestion,
  pair: readonly [string, string],
  behaviours: Behaviours,
): Generator<string, Refined, boolean> {
  const profiles = kernelsOf(pair);
  const [first, ...others] = groundsFor(profiles, operations);
  let refined = yield* refine(profiles, first!, behaviours);
  for (const ground of others) {
    if (exitOf(refined) !== EXIT.HELD) break;
    refined = yield* refine(profiles, ground, behaviours);
  }
  return refined;
}

function verdictOf([one, other]: readonly [string, string], refined: Refined): Verdict {
  const [way] = waysOf(refined);
  const kernels = new Set(refined.profiles.map((profile) => profile.split(',')[0]));
  const why = way === undefined ? '' : `${way.reason}: ${spellHistory(way.example)}`;
  return { one, other, exit: exitOf(refined), why, across: kernels.size > 1 };
}

function answerOf(
  { designs, operations }: LatticeQuestion,
  verdicts: readonly Verdict[],
  { played }: Behaviours,
): Answer {
  const lattice = new Lattice(designs, verdicts);
  const exit = lattice.isComplete ? EXIT.HELD : EXIT.INCONCLUSIVE;
  const bound = `histories of up to ${counted(operations, 'operation')} of what both take`;
  const text = [...lattice.lines(), '', `  ${bound}; ${counted(played, 'operation')} played`].join('\n');
  return {
    text,
    json: { command: 'refine all', exit, operations, played, ...lattice.json() },
    exit,
    save: [],
  };
}
