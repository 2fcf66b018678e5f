import { searchAbi } from '../checker/arguments/search.ts';
import { benchFor } from '../checker/images/bench.ts';
import { runCase } from '../checker/images/case.ts';
import { knownByCause, knownTaskBreach } from '../checker/interleavings/known-task-breach.ts';
import type { IsSought } from '../checker/interleavings/nearest-breach.ts';
import { nearestOccurrence } from '../checker/interleavings/nearest-breach.ts';
import { Space } from '../checker/interleavings/space.ts';
import { runSequence } from '../checker/sequences/run-sequence.ts';
import { judgeStub } from '../checker/stubs/judge-stub.ts';
import { stubFor } from '../checker/stubs/search-stubs.ts';
import { replayText } from '../commands/replay/replay.ts';
import { KNOWN } from '../conformance/known/known.ts';
import { KNOWN_TASK } from '../conformance/known/task-breaches.ts';
import { scenarioOn } from '../conformance/known/task-known.ts';
import { parseTrace } from '../counterexamples/images/trace.ts';
import { lawIn } from '../counterexamples/trace-kind.ts';
import { crashText } from '../model/core/crash-words.ts';
import { item } from '../model/core/present.ts';
import { warningText } from '../model/core/warning-words.ts';
import { linkKernel } from '../model/step.ts';
import { failureText } from '../model/tracepoint/failure-words.ts';
import { typeNamed } from '../model/trampoline/signature.ts';
import { faultText } from '../model/x86/fault-words.ts';
import { ABI_LAWS } from '../properties/abi-laws.ts';
import { inOneLine } from '../properties/finding/render.ts';
import { printSample } from '../properties/law/argument-law.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { ABI_PLANTED } from '../properties/planted/arguments/abi.ts';
import { PLANTED } from '../properties/planted/images/all.ts';
import { F1 } from '../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../properties/planted/sequences/all.ts';
import { PLANTED_STUBS } from '../properties/planted/stubs/stubs.ts';
import type { Source } from './sources.ts';
import { sources } from './sources.ts';
import { someOf, THOROUGH } from './thorough.ts';

/*
 * The verdicts on traces, planted bugs and known breaches, without their wording.
 */

/** A verdict, by what it is about. */
export type Verdicts = Readonly<Record<string, string>>;

/** Planted bugs of sequences, each in its smallest sequence: the law that sees it, and at which call. */
function plantedVerdicts(): Verdicts {
  return Object.fromEntries(
    someOf(ATTACH_PLANTED, 4).map(
      ({ name, law, edits, profile, functions = [F1], tracepoints, smallest }) => {
        const start = { profile, functions, ...(tracepoints === undefined ? {} : { tracepoints }) };
        const { breach } = runSequence(
          { ...start, actions: smallest },
          { laws: [law], program: linkKernel(edits) },
        );
        return [name, `${breach?.law.name} at ${breach?.at}`];
      },
    ),
  );
}

/** Shortest traces of laws, replayed: a report that reads otherwise is no other verdict. */
function traceVerdicts(): Verdicts {
  const shortest = new Map<string, Source>();
  for (const trace of sources('.trace')) {
    const law = lawIn(trace.text) ?? '';
    const known = shortest.get(law);
    if (known === undefined || trace.text.length < known.text.length) shortest.set(law, trace);
  }
  return Object.fromEntries(
    someOf([...shortest.values()], 16).map(({ path, text }) => {
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
      const isSought: IsSought = (breach) => knownByCause([entry], breach) === entry;
      const found = nearestOccurrence(entry.law, space, isSought);
      return [entry.name, found === undefined ? 'none' : (knownTaskBreach(KNOWN_TASK, found)?.name ?? 'new')];
    }),
  );
}

/** Planted bugs of images, each in its smallest case, and what the examples of known breaches are known for. */
function imageVerdicts(): Verdicts {
  const traces = new Map(sources('.trace').map(({ path, text }) => [path, text]));
  const planted = someOf(PLANTED, 4).map((bug): [string, string] => {
    const path = `counterexamples/corpus/${bug.law.name}.${bug.name}.trace`;
    const { verdict } = runCase(benchFor(bug), parseTrace(traces.get(path)!).case, {
      laws: IMAGE_LAWS,
      known: KNOWN,
    });
    return [bug.name, `${verdict?.breach?.law.name}: ${verdict?.breach?.finding.is}`];
  });
  const bench = benchFor(undefined);
  const known = someOf(KNOWN, 2).map(({ name, example }): [string, string] => {
    const { verdict, known } = runCase(bench, example, { laws: IMAGE_LAWS, known: KNOWN });
    return [name, verdict?.breach === undefined ? known.map((entry) => entry.name).join() : 'new'];
  });
  return Object.fromEntries([...planted, ...known]);
}

/** Planted bugs of stubs, and one of each checked law on places of arguments. */
function argumentVerdicts(): Verdicts {
  const stubs = someOf(PLANTED_STUBS, 2).map((bug): [string, string] => {
    const types = bug.args.map((name) => typeNamed(name)!);
    const breach = judgeStub(stubFor(types, bug), types);
    return [bug.name, `${breach?.law.name}: ${breach?.finding.is}`];
  });
  const abi = someOf(ABI_LAWS, 3).map((law): [string, string] => {
    const planted = ABI_PLANTED.find((bug) => bug.law === law);
    const { found } = searchAbi({ seed: 1, cases: 8000, laws: [law], planted });
    return [law.name, `${found?.finding.is} in ${found && printSample(found.sample)}`];
  });
  return Object.fromEntries([...stubs, ...abi]);
}

/** Of each list some, and known breaches that are not many moves away. */
export function verdicts(): Verdicts {
  return {
    ...plantedVerdicts(),
    ...imageVerdicts(),
    ...argumentVerdicts(),
    ...traceVerdicts(),
    ...knownVerdicts(THOROUGH ? 30 : 12),
  };
}

/** The wording of one fact of each sort. */
export function told(): readonly string[] {
  return [
    crashText({ is: 'lost return' }),
    warningText({ is: 'too many references' }),
    inOneLine({ is: 'image-stays', image: 'tramp#1' }),
    inOneLine({ is: 'original-runs-again' }),
    inOneLine({ is: 'prefixes-need-more', expected: 1, observed: 2 }),
    inOneLine({ is: 'stub-does-not-arrive', failure: { is: 'elsewhere' } }),
    failureText({ is: 'elsewhere' }),
    faultText({ kind: 'unmapped', access: 'read', size: 8, place: 'stack' }),
  ];
}
