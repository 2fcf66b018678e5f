import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import type { AttachCase } from './attach-case.ts';
import { COMMANDS_MOST, commandFor, contractFor } from './commands.ts';
import type { Subjects } from './draw.ts';
import { actionsFor, subjectsFor, TRACEPOINT_ONE_IN } from './draw.ts';
import { SequencePlayer } from './run-sequence.ts';
import { SEED_STEP } from './search.ts';

/** Which actions on some subjects are drawn; undefined: none, and other subjects are drawn instead. */
export type Drawable = (profile: string, subjects: Subjects) => ((action: Action) => boolean) | undefined;

const ALL: Drawable = () => () => true;

interface Chosen {
  readonly subjects: Subjects;
  readonly isDrawn: NonNullable<ReturnType<Drawable>>;
}

/** Whole sequences, as a search draws them step by step; no law is checked. */
export function sequencesFor(profile: string, only = ALL): fc.Arbitrary<AttachCase> {
  const lists = fc.nat(TRACEPOINT_ONE_IN - 1).chain((n) => subjectsFor(profile, n));
  const chosen = lists
    .map((subjects) => ({ subjects, isDrawn: only(profile, subjects) }))
    .filter((choice): choice is Chosen => choice.isDrawn !== undefined);
  const drawn = chosen.chain(({ subjects, isDrawn }) =>
    fc
      .array(commandFor(actionsFor(profile, subjects).filter(isDrawn)), {
        maxLength: COMMANDS_MOST,
        size: 'max',
      })
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
