import fc from 'fast-check';
import type { AttachCase } from './attach-case.ts';
import { COMMANDS_MOST, commandFor, contractFor } from './commands.ts';
import { actionsFor, functionListsFor } from './draw.ts';
import { SequencePlayer } from './run-sequence.ts';

/** Whole sequences, as a search draws them step by step; no law is checked. */
export function sequencesFor(profile: string): fc.Arbitrary<AttachCase> {
  const drawn = functionListsFor(profile).chain((functions) =>
    fc
      .array(commandFor(actionsFor(profile, functions)), { maxLength: COMMANDS_MOST, size: 'max' })
      .map((commands): AttachCase => {
        const player = new SequencePlayer({ profile, functions }, { laws: [] });
        const contract = contractFor(profile, functions);
        for (const command of commands) if (command.check(contract)) command.run(contract, player);
        return { profile, functions, actions: player.actions };
      }),
  );
  return drawn.filter(({ actions }) => actions.length > 0);
}
