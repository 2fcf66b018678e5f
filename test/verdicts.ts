import { knownTaskBreach } from '../checker/interleavings/known-task-breach.ts';
import { nearestOccurrence } from '../checker/interleavings/nearest-breach.ts';
import { Space } from '../checker/interleavings/space.ts';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { replayText } from '../commands/replay/replay.ts';
import { KNOWN_TASK } from '../conformance/known/task-breaches.ts';
import { scenarioOn } from '../conformance/known/task-known.ts';
import { crashText } from '../model/core/crash-words.ts';
import { warningText } from '../model/core/warning-words.ts';
import { linkKernel } from '../model/step.ts';
import { inOneLine } from '../properties/finding/render.ts';
import { F1 } from '../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../properties/planted/sequences/all.ts';
import { sources } from './sources.ts';

/*
 * What is decided about traces, planted bugs and known breaches, without a word of how it is told.
 */

/** A verdict, by what it is about. */
export type Verdicts = Readonly<Record<string, string>>;

/** Every planted bug of sequences in its smallest sequence: the law that sees it, and at which call. */
function plantedVerdicts(): Verdicts {
  return Object.fromEntries(
    ATTACH_PLANTED.map(({ name, law, edits, profile, functions = [F1], tracepoints, smallest }) => {
      const start = { profile, functions, ...(tracepoints === undefined ? {} : { tracepoints }) };
      const { breach } = runSequence(
        { ...start, actions: smallest },
        { laws: [law], program: linkKernel(edits) },
      );
      return [name, `${breach?.law.name} at ${breach?.at}`];
    }),
  );
}

/** Traces replayed, one of so many of the corpus: a report that reads otherwise is no other verdict. */
function traceVerdicts(every: number): Verdicts {
  const traces = sources('.trace').filter((_, i) => i % every === 0);
  return Object.fromEntries(
    traces.map(({ path, text }) => {
      const { kind } = replayText(text);
      return [path, kind === 'report changed' ? 'same' : kind];
    }),
  );
}

/** Which entry of the list the nearest breaches of known causes are, where they are near. */
function knownVerdicts(moves: number): Verdicts {
  const near = KNOWN_TASK.filter((entry) => entry.moves[0]! <= moves);
  return Object.fromEntries(
    near.map((entry) => {
      const grain = entry.grain === undefined ? {} : { grain: entry.grain };
      const space = new Space(scenarioOn(entry, entry.kernels[0]!), grain);
      const found = nearestOccurrence(entry.law, space);
      return [entry.name, found === undefined ? 'none' : (knownTaskBreach(KNOWN_TASK, found)?.name ?? 'new')];
    }),
  );
}

/** One of so many traces of the corpus; known breaches that are so many moves away at the most. */
export function verdicts(): Verdicts {
  return { ...plantedVerdicts(), ...traceVerdicts(6), ...knownVerdicts(30) };
}

/** How one fact of each sort is told. */
export function told(): readonly string[] {
  return [
    crashText({ is: 'lost return' }),
    warningText({ is: 'too many references' }),
    inOneLine({ is: 'image-stays', image: 'tramp#1' }),
  ];
}
