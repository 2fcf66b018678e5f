import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { Answer, Exit } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { isRefineTrace, replayHistory } from '../../counterexamples/histories/refine-trace.ts';
import type { TraceOrigin } from '../../counterexamples/images/describe.ts';
import { answersOf, describe } from '../../counterexamples/images/describe.ts';
import type { Trace } from '../../counterexamples/images/trace.ts';
import { parseTrace } from '../../counterexamples/images/trace.ts';
import { replaySchedule } from '../../counterexamples/interleavings/task-replay.ts';
import { hasActors, isTaskTrace, parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import type { CheckSuite } from '../../counterexamples/run-check.ts';
import { replaySequence } from '../../counterexamples/sequences/attach-replay.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import type { Replayed } from '../../counterexamples/trace-file.ts';
import { isSaved, plantedIn, readFound, replayedAs, reportIn } from '../../counterexamples/trace-file.ts';
import { lawIn, traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { PLANTED } from '../../properties/planted/images/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { judgeNamed } from '../judge/judge-command.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { replayedSuite } from './replayed-checks.ts';

/** Replays a trace, without any seed. */
function replayCase(trace: Trace, law: Law): Replayed {
  const bench = benchFor(plantedIn(PLANTED, trace.planted));
  const { attempt } = runCase(bench, trace.case, { laws: [law], known: [] });
  const why = divergence(trace.answers, answersOf(trace.case, attempt));
  if (why !== undefined) return { kind: 'diverged', why };
  const counterexample = describe(bench, trace.case, { law, known: KNOWN }, originOf(trace));
  if (counterexample === undefined) return { kind: 'holds' };
  return replayedAs(trace.report, counterexample.trace.report);
}

/** The first link whose answer differs from the saved one. */
export function divergence(saved: readonly string[], now: readonly string[]): string | undefined {
  for (let i = 0; i < Math.max(saved.length, now.length); i++)
    if (saved[i] !== now[i])
      return `the link of prog#${i + 1} answers ${now[i] ?? 'nothing'}, saved is ${saved[i] ?? 'nothing'}`;
  return undefined;
}

/** Where a trace was found, by its header. */
function originOf({ planted, found }: Trace): TraceOrigin {
  const { drawn, ...origin } = readFound(found);
  return { planted, ...origin, drawnSteps: drawn };
}

/** The command `replay`: each file in turn; a user's file that names no law is judged by all laws. */
export function replayFiles(files: readonly NamedTrace[]): Answer {
  const replays = files.map((file) => (isWritten(file) ? judgedReplay(file) : savedReplay(file)));
  const exit = worstExit(replays.map((replay) => replay.exit));
  const text = replays.flatMap(({ lines }) => lines).join('\n');
  const json = { command: 'replay', exit, files: replays.map((replay) => replay.json) };
  return { text, json, suites: replays.flatMap(({ suites }) => suites), exit, save: [] };
}

/** The result of one file. */
type OneReplay = Pick<Answer, 'exit' | 'json'> & {
  readonly lines: readonly string[];
  readonly suites: readonly CheckSuite[];
};

function savedReplay({ path, text }: NamedTrace): OneReplay {
  const replayed = inFile(path, replayText(text));
  return {
    exit: REPLAY_EXITS[replayed.kind],
    suites: [replayedSuite({ path, text }, replayed)],
    lines: replayLines(path, replayed),
    json: { path, ...replayJson(replayed) },
  };
}

/** A saved file has a law, and a report. */
function isWritten({ text }: NamedTrace): boolean {
  return !isSaved(text) && lawIn(text) === undefined && traceKind(text) !== 'history';
}

function judgedReplay(file: NamedTrace): OneReplay {
  const { path } = file;
  try {
    const { text, exit, suites = [] } = judgeNamed(file);
    return { exit, suites, lines: [text], json: { path, result: 'judged', report: text, why: null } };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message: why } = error;
    return {
      exit: REPLAY_EXITS.damaged,
      suites: [replayedSuite(file, { kind: 'damaged', why })],
      lines: [`✗ ${why}`],
      json: { path, result: 'damaged', report: null, why },
    };
  }
}

/**
 * The law in the header implies the kind of trace; if two kinds have it, the rest of the header decides, as if there
 * were none.
 */
function replay(text: string): Replayed {
  if (isRefineTrace(text)) return replayHistory(text);
  const named = lawIn(text);
  const isIt = ({ name }: { name: string }) => name === named;
  const attachLaw = [...ATTACH_LAWS, ...HIT_LAWS].find(isIt);
  const taskLaw = ALL_TASK_LAWS.find(isIt);
  if (taskLaw !== undefined && (attachLaw === undefined || isTaskTrace(text)))
    return replaySchedule(parseTaskTrace(text), taskLaw);
  if (attachLaw !== undefined) return replaySequence(parseAttachTrace(text), attachLaw, KNOWN_ATTACH);
  const law = IMAGE_LAWS.find(isIt);
  if (law !== undefined) return replayCase(parseTrace(text), law);
  if (named === undefined && hasActors(text))
    throw new InputError('it is a scenario without a schedule: npm run check -- explore FILE searches all');
  throw new InputError(named === undefined ? 'the header has no law' : `there is no law ${named}`);
}

/** Reads a saved counterexample and replays it. */
export function replayText(text: string): Replayed {
  try {
    return replay(text);
  } catch (error) {
    if (error instanceof InputError) return { kind: 'damaged', why: error.message };
    throw error;
  }
}

/** The report names the file that was replayed. */
function inFile(path: string, replayed: Replayed): Replayed {
  return 'report' in replayed ? { ...replayed, report: reportIn(path, replayed.report) } : replayed;
}

/** A law that is broken again is broken; a replay that diverges shows nothing. */
export const REPLAY_EXITS: Readonly<Record<Replayed['kind'], Exit>> = {
  same: EXIT.BROKEN,
  'report changed': EXIT.BROKEN,
  holds: EXIT.HELD,
  diverged: EXIT.FAILED,
  damaged: EXIT.FAILED,
};

function replayLines(path: string, replayed: Replayed): string[] {
  switch (replayed.kind) {
    case 'same':
      return [replayed.report, '', `  ${path}: replayed, same report as saved`];
    case 'report changed':
      return [replayed.report, '', `  ${path}: replayed, report differs from the saved one`];
    case 'holds':
      return [`✓ ${path}`, '    the same steps, and the law holds'];
    case 'diverged':
      return [`? ${path}`, `    diverged: ${replayed.why}`];
    case 'damaged':
      return [`✗ ${path}: ${replayed.why}`];
    default:
      return unreachable(replayed);
  }
}

function replayJson(replayed: Replayed) {
  const report = 'report' in replayed ? replayed.report : null;
  return { result: replayed.kind, report, why: 'why' in replayed ? replayed.why : null };
}
