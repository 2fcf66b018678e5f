import type { ExhaustiveSearch, ExhaustiveSearched } from '../../checker/sequences/exhaustive/search.ts';
import { searchExhaustively } from '../../checker/sequences/exhaustive/search.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import type { Answer, Exit, JobProgress, RunVerdict, Saved } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import type { Remark } from '../../counterexamples/run-part.ts';
import { markOf, partAnswer } from '../../counterexamples/run-part.ts';
import type { AttachCounterexample } from '../../counterexamples/sequences/attach-describe.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { printAction } from '../../model/action-text.ts';
import {
  breachOf,
  lawLines,
  notFound,
  openOf,
  plantedRemarks,
  unmetLines,
  vacuousRemarks,
} from '../check/pass.ts';
import type { Exhaustion } from './exhaust-options.ts';

/** The search in one kernel, and its breach with the report. */
interface Exhausted {
  readonly search: ExhaustiveSearch;
  readonly searched: ExhaustiveSearched;
  readonly found: AttachCounterexample | undefined;
}

/** `attachcheck exhaust`: every sequence of some calls, kernel by kernel, up to the first breach that is not listed. */
export function* exhaustJob(exhaustion: Exhaustion): Generator<JobProgress, Answer, boolean> {
  const done: Exhausted[] = [];
  for (const search of exhaustion.searches) {
    const steps = searchExhaustively(search);
    let next = steps.next(false);
    while (next.done !== true) {
      const { states, depth } = next.value;
      const now = `sequences of ${depth + 1} calls`;
      const stops = yield { part: search.start.profile, now, done: states, unit: 'states' };
      next = steps.next(stops);
    }
    const searched = next.value;
    done.push({ search, searched, found: counterexampleOf(searched, exhaustion) });
    if (searched.end === 'found' || searched.end === 'stopped') break;
  }
  return answerOf(done, exhaustion);
}

function counterexampleOf({ found }: ExhaustiveSearched, { planted, words }: Exhaustion) {
  if (found === undefined) return undefined;
  const origin = {
    ...{ planted, seed: undefined, drawn: undefined, exhaustively: words },
    listed: KNOWN_ATTACH,
  };
  return describeSequence(found.case, found.breach.law, origin);
}

function answerOf(done: readonly Exhausted[], exhaustion: Exhaustion): Answer {
  const found = done.flatMap((own) => own.found ?? []);
  const open = found.length > 0 ? [] : openIn(done, exhaustion);
  const exit = found.length > 0 ? EXIT.BROKEN : open.length > 0 ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const last = done.at(-1);
  const part = {
    mark: markOf(exit),
    name: 'sequences',
    counts: done.map(countsText).join('; '),
    kernels: done.map(({ search }) => search.start.profile),
    reports: found.map(({ trace }) => trace.report),
    remarks: found.length > 0 ? [] : remarksOn(done, exhaustion),
    details: last === undefined || found.length > 0 ? [] : detailsOf(last),
  };
  return partAnswer(part, {
    json: jsonOf(done, exit),
    exit,
    save: found.map(savedAs),
    verdict: verdictOf(done, exhaustion, open),
  });
}

function savedAs({ path, trace }: AttachCounterexample): Saved {
  return { path: `${CORPUS}/${path}`, text: printAttachTrace(trace) };
}

/** `every sequence of up to 4 of 6 calls, 1,234 states, 3,456 moves`. */
function countsText({ search, searched: { end, depth, states, moves } }: Exhausted): string {
  const what = counted(search.alphabet.length, 'call');
  const all =
    end === 'no state is new'
      ? `every sequence of ${what}, of any length`
      : end === 'depth'
        ? `every sequence of up to ${depth} of ${what}`
        : end === 'found'
          ? `sequences of up to ${depth} of ${what}, none shorter breaks a law`
          : `every sequence of up to ${depth} of ${what}, longer ones in part`;
  return [all, counted(states, 'state'), counted(moves, 'move')].join(', ');
}

/** Laws that no state has exercised. */
function unmetIn(done: readonly Exhausted[]) {
  const laws = done[0]?.search.laws ?? [];
  return laws.filter(({ name }) => done.every(({ searched }) => !searched.met.has(name)));
}

/** Of laws that were named each has to be exercised; of all laws, one. */
function vacuousIn(done: readonly Exhausted[], { areNamed, planted }: Exhaustion) {
  return openOf(unmetIn(done), done[0]?.search.laws.length ?? 0, areNamed || planted !== undefined);
}

function openIn(done: readonly Exhausted[], exhaustion: Exhaustion): string[] {
  const left = done.flatMap(({ search, searched: { end } }) => {
    if (end === 'states') return [`more than ${count(search.states)} states in ${search.start.profile}`];
    return end === 'stopped' ? ['stopped before the end'] : [];
  });
  if (left.length > 0) return left;
  const vacuous = vacuousIn(done, exhaustion).length;
  return [
    ...(vacuous === 0 ? [] : [`${counted(vacuous, 'law')} exercised by no sequence`]),
    ...notFound(exhaustion.planted),
  ];
}

function remarksOn(done: readonly Exhausted[], exhaustion: Exhaustion): Remark[] {
  const bounds = done.filter(({ searched: { end } }) => end === 'states');
  return [
    ...vacuousRemarks(vacuousIn(done, exhaustion)),
    ...plantedRemarks(exhaustion.planted),
    ...bounds.map(
      ({ search }): Remark => ({
        mark: '?',
        name: 'bound',
        text: `${search.start.profile} has more than ${counted(search.states, 'state')}`,
      }),
    ),
  ];
}

function detailsOf({ search, searched: { met, moves, known } }: Exhausted): string[] {
  return [
    ...search.alphabet.map((action) => `  ${printAction(action, search.start)}`),
    ...search.laws.flatMap((law) => {
      const times = met.get(law.name);
      return times === undefined ? unmetLines(law) : lawLines(law, { met: times, of: moves, noun: 'move' });
    }),
    ...[...known].map(([name, times]) => `  known  ${name}, after ${counted(times, 'sequence')}`),
  ];
}

function verdictOf(done: readonly Exhausted[], { planted }: Exhaustion, open: readonly string[]): RunVerdict {
  const isFound = done.some(({ found }) => found !== undefined);
  const known = [...new Set(done.flatMap(({ searched }) => [...searched.known.keys()]))];
  const [first] = done;
  const isOutOfStates = done.some(({ searched: { end } }) => end === 'states');
  const more = isOutOfStates
    ? { '--states': String(10 * (first?.search.states ?? 0)) }
    : { '--depth': String((first?.search.depth ?? 0) + 1) };
  return { ...breachOf(isFound, planted), wrong: [], known, open, next: { options: more } };
}

function jsonOf(done: readonly Exhausted[], exit: Exit) {
  const found = done.flatMap((own) => own.found ?? []);
  return {
    command: 'exhaust',
    exit,
    kernels: done.map(({ search, searched: { states, moves, depth, end, met, known } }) => ({
      kernel: search.start.profile,
      calls: search.alphabet.map((action) => printAction(action, search.start)),
      faults: search.fails,
      bound: { depth: search.depth, states: search.states },
      states,
      moves,
      depth,
      end,
      laws: search.laws.map(({ name }) => ({ name, moves: met.get(name) ?? 0 })),
      known: [...known].map(([name, moves]) => ({ name, moves })),
    })),
    counterexample: found[0] === undefined ? null : foundJson({ ...found[0], path: found[0].path }),
  };
}
