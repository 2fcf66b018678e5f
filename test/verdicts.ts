import { knownTaskBreach } from '../checker/interleavings/known-task-breach.ts';
import { nearestOccurrence } from '../checker/interleavings/nearest-breach.ts';
import { Space } from '../checker/interleavings/space.ts';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { replayText } from '../commands/replay/replay.ts';
import { KNOWN_TASK } from '../conformance/known/task-breaches.ts';
import { scenarioOn } from '../conformance/known/task-known.ts';
import { lawIn } from '../counterexamples/trace-kind.ts';
import { crashText } from '../model/core/crash-words.ts';
import { item } from '../model/core/present.ts';
import { warningText } from '../model/core/warning-words.ts';
import { linkKernel } from '../model/step.ts';
import { inOneLine } from '../properties/finding/render.ts';
import { F1 } from '../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../properties/planted/sequences/all.ts';
import type { Source } from './sources.ts';
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

/** Of each law the shortest trace, replayed: a report that reads otherwise is no other verdict. */
function traceVerdicts(): Verdicts {
  const shortest = new Map<string, Source>();
  for (const trace of sources('.trace')) {
    const law = lawIn(trace.text) ?? '';
    const known = shortest.get(law);
    if (known === undefined || trace.text.length < known.text.length) shortest.set(law, trace);
  }
  return Object.fromEntries(
    [...shortest.values()].map(({ path, text }) => {
      const { kind } = replayText(text);
      return [path, kind === 'report changed' ? 'same' : kind];
    }),
  );
}

/** Which entry of the list the nearest breaches of known causes are, where they are near. */
function knownVerdicts(moves: number): Verdicts {
  const near = KNOWN_TASK.filter((entry) => item(entry.moves, 0) <= moves);
  return Object.fromEntries(
    near.map((entry) => {
      const grain = entry.grain === undefined ? {} : { grain: entry.grain };
      const space = new Space(scenarioOn(entry, item(entry.kernels, 0)), grain);
      const found = nearestOccurrence(entry.law, space);
      return [entry.name, found === undefined ? 'none' : (knownTaskBreach(KNOWN_TASK, found)?.name ?? 'new')];
    }),
  );
}

/** All of them; known breaches that are no more than 30 moves away. */
export function verdicts(): Verdicts {
  return { ...plantedVerdicts(), ...traceVerdicts(), ...knownVerdicts(30) };
}

/** How one fact of each sort is told. */
export function told(): readonly string[] {
  return [
    crashText({ is: 'lost return' }),
    warningText({ is: 'too many references' }),
    inOneLine({ is: 'image-stays', image: 'tramp#1' }),
  ];
}
