import { InputError } from '../model/core/input-error.ts';
import type { Bench } from '../properties/bench.ts';
import { benchFor } from '../properties/bench.ts';
import { runCase } from '../properties/case.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { PLANTED, plantedNamed } from '../properties/planted.ts';
import type { Answer, Exit } from './answer.ts';
import { EXIT, worstExit } from './answer.ts';
import { isSequenceTrace, replaySequence } from './attach/attach-replay.ts';
import { parseAttachTrace } from './attach/attach-trace.ts';
import type { Origin } from './describe.ts';
import { answersOf, describe } from './describe.ts';
import type { Trace } from './trace.ts';
import { parseTrace } from './trace.ts';
import type { Replayed } from './trace-file.ts';
import { readFound } from './trace-file.ts';

/** Does what a trace says once more, without any seed. */
function replay(trace: Trace): Replayed {
  const law = IMAGE_LAWS.find(({ name }) => name === trace.law);
  if (law === undefined) throw new InputError(`there is no law ${trace.law}`);
  const bench = benchOf(trace);
  const { attempt } = runCase(bench, trace.case, { laws: [law], known: [] });
  const why = divergence(trace.answers, answersOf(trace.case, attempt));
  if (why !== undefined) return { kind: 'diverged', why };
  const counterexample = describe(bench, trace.case, law, originOf(trace));
  if (counterexample === undefined) return { kind: 'holds' };
  const { report } = counterexample.trace;
  return { kind: report === trace.report ? 'same' : 'report changed', report };
}

/** The first link that answers otherwise than it did. */
function divergence(saved: readonly string[], now: readonly string[]): string | undefined {
  for (let i = 0; i < Math.max(saved.length, now.length); i++)
    if (saved[i] !== now[i])
      return `the link of prog#${i + 1} answers ${now[i] ?? 'nothing'}, saved is ${saved[i] ?? 'nothing'}`;
  return undefined;
}

function benchOf({ planted }: Trace): Bench {
  if (planted === undefined) return benchFor(undefined);
  const bug = plantedNamed(planted);
  if (bug === undefined)
    throw new InputError(
      `there is no planted bug ${planted}; there are ${PLANTED.map(({ name }) => name).join(', ')}`,
    );
  return benchFor(bug);
}

/** Where a trace says that it was found. */
function originOf({ planted, found }: Trace): Origin {
  const { seed, drawn } = readFound(found);
  return { planted, seed, drawnSteps: drawn };
}

/** A trace file by its name and content. */
export interface TraceFile {
  readonly path: string;
  readonly text: string;
}

/** The command `replay`: each file once more. */
export function replayFiles(files: readonly TraceFile[]): Answer {
  const replays = files.map(({ path, text }) => ({ path, replayed: replayFile(path, text) }));
  const exit = worstExit(replays.map(({ replayed }) => EXITS[replayed.kind]));
  const text = replays.flatMap(({ path, replayed }) => replayLines(path, replayed)).join('\n');
  const json = {
    command: 'replay',
    exit,
    files: replays.map(({ path, replayed }) => ({ path, ...replayJson(replayed) })),
  };
  return { text, json, exit, save: [] };
}

/** Reads and replays one file; what is wrong with it is said with its name. */
export function replayFile(path: string, text: string): Replayed {
  try {
    return isSequenceTrace(text) ? replaySequence(parseAttachTrace(text)) : replay(parseTrace(text));
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${path}: ${error.message}`) : error;
  }
}

/** A law that is broken again is broken; a replay that goes another way shows nothing. */
const EXITS: Readonly<Record<Replayed['kind'], Exit>> = {
  same: EXIT.BROKEN,
  'report changed': EXIT.BROKEN,
  holds: EXIT.HELD,
  diverged: EXIT.FAILED,
};

function replayLines(path: string, replayed: Replayed): string[] {
  switch (replayed.kind) {
    case 'same':
      return [replayed.report, '', `  ${path}: replayed, the report is the saved one`];
    case 'report changed':
      return [replayed.report, '', `  ${path}: replayed, the report is not the saved one`];
    case 'holds':
      return [`✓ ${path}`, '    the same steps, and the law holds'];
    case 'diverged':
      return [`? ${path}`, `    diverged: ${replayed.why}`];
  }
}

function replayJson(replayed: Replayed) {
  const { kind } = replayed;
  const report = 'report' in replayed ? replayed.report : null;
  return { result: kind, report, why: kind === 'diverged' ? replayed.why : null };
}
