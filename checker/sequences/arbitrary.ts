import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import type { AttachCase } from './attach-case.ts';
import { COMMANDS_MOST, commandFor, contractFor } from './commands.ts';
import type { Subjects } from './draw.ts';
import { actionsFor, subjectsFor, TRACEPOINT_ONE_IN } from './draw.ts';
import { SequencePlayer } from './run-sequence.ts';
import { SEED_STEP } from './search.ts';

/** The actions of one sequence: others are not drawn for it. */
export type Wanted = (action: Action) => boolean;

/** Which actions on some subjects are drawn, sequence by sequence; undefined: none, and other subjects are drawn instead. */
export type Drawable = (profile: string, subjects: Subjects) => fc.Arbitrary<Wanted> | undefined;

const ALL: Drawable = () => fc.constant(() => true);

interface Chosen {
  readonly subjects: Subjects;
  readonly wanted: fc.Arbitrary<Wanted>;
}

const MANY: fc.ArrayConstraints = { maxLength: COMMANDS_MOST, size: 'max' };

/** Whole sequences, as a search draws them step by step; no law is checked. */
export function sequencesFor(profile: string, only = ALL): fc.Arbitrary<AttachCase> {
  const lists = fc.nat(TRACEPOINT_ONE_IN - 1).chain((n) => subjectsFor(profile, n));
  const chosen = lists
    .map((subjects) => ({ subjects, wanted: only(profile, subjects) }))
    .filter((choice): choice is Chosen => choice.wanted !== undefined);
  const drawn = chosen.chain(({ subjects, wanted }) =>
    wanted
      .chain((isWanted) => fc.array(commandFor(actionsFor(profile, subjects).filter(isWanted)), MANY))
      .map((commands): AttachCase => {
        const player = new SequencePlayer({ profile, ...subjects }, { laws: [] });
        const contract = contractFor(profile, subjects.functions);
        for (const command of commands) if (command.check(contract)) command.run(contract, player);
        return { profile, ...subjects, actions: player.actions };
      }),
  );
  return drawn.filter(({ actions }) => actions.length > 0);
}

/** The n-th sequence of a seed, from 0: each can be drawn without those before it. */
export function sequenceOf(profile: string, seed: number, n: number, only = ALL): AttachCase {
  const [drawn] = fc.sample(sequencesFor(profile, only), { seed: (seed + n * SEED_STEP) | 0, numRuns: 1 });
  return drawn!;
}
