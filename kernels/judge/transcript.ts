import type { Action } from '../../model/client/all.ts';
import type { Call } from '../../model/client/call.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import { item } from '../../model/core/present.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import { promised } from '../../model/promised.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { GuestLost } from '../boot/guest.ts';
import type { CallAnswer, EndAnswer, EntryAnswer, OpAnswer } from '../history/answer.ts';
import { readCall, readEnd, readEntry, readOp } from '../history/answer.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { END, freeLines, lookAt, lookLinesAt, open, ownLine } from '../history/cast-history.ts';
import type { Answering } from '../history/history-verdict.ts';
import { ExpectedErrnos } from './expected-errnos.ts';

/*
 * What a kernel showed of a history, call by call. Nothing is judged here. The next call is made as long as the kernel
 * answers what the client expected when the history was drawn: after another errno, the rest would be misuse.
 */

/** A function, examined after a call of the history: its entry, and a call of it. */
export interface ObservedLook {
  readonly fn: TracedFunction;
  readonly entry: EntryAnswer;
  readonly call: Call;
  readonly answer: CallAnswer;
}

/** A call of the history with its answer, and every function after it. */
export interface ObservedStep {
  readonly action: Action;
  readonly answer: OpAnswer | CallAnswer;
  readonly errno: Errno | 0;
  /** The failure that happened in it, if one did, and all that have happened up to its end. */
  readonly failed: InjectedFault | undefined;
  readonly faults: readonly InjectedFault[];
  /** The promises before it, and after it: they advance with what the kernel answered. */
  readonly promised: Promises;
  readonly promises: Promises;
  readonly looks: readonly ObservedLook[];
}

/** The kernel stopped answering: in a call of the history, in the examination of a function, or at the end. */
export interface Lost {
  readonly step: number;
  readonly in: 'call' | 'look' | 'end';
  /** What it answered to the call of that step; undefined: nothing. */
  readonly errno: Errno | 0 | undefined;
  readonly hangs: boolean;
  readonly console: readonly string[];
  /** The promises at that point. */
  readonly promised: Promises;
}

/** A line that was sent, and its answer. */
export interface SentLine {
  readonly line: string;
  readonly answer: string;
}

/** A function that is not free, although everything was taken off. */
export interface TakenFunction {
  readonly fn: string;
  readonly errno: string;
}

export interface Transcript {
  readonly question: CastHistory;
  readonly steps: readonly ObservedStep[];
  /** Undefined: the kernel was lost before. */
  readonly end: EndAnswer | undefined;
  /** Functions that refuse a direct call after that, with the errno. */
  readonly taken: readonly TakenFunction[];
  readonly lost: Lost | undefined;
  readonly lines: readonly SentLine[];
}

/** Runs a history on a kernel, takes everything off again, and says what was seen. */
export function observeHistory(guest: Answering, question: CastHistory): Transcript {
  const observing = new Observing(guest, question);
  return observing.all();
}

class Observing {
  private readonly steps: ObservedStep[] = [];
  private readonly lines: SentLine[] = [];
  private readonly places = new Map<string, bigint>();
  private readonly expected: ExpectedErrnos;
  private promises: Promises;
  private now: Lost['in'] = 'call';
  private answered: Errno | 0 | undefined;
  private ordered: InjectedFault | undefined;
  private faults: readonly InjectedFault[] = [];

  constructor(
    private readonly guest: Answering,
    private readonly question: CastHistory,
  ) {
    const { profile, functions } = question.case;
    this.promises = nothingPromised(profile, functions);
    this.expected = new ExpectedErrnos(question.case);
  }

  all(): Transcript {
    const { question, steps, lines } = this;
    try {
      open(question, (lines) => lines.map((line) => this.ask(line)));
      for (const action of question.case.actions) if (!this.step(action)) break;
      this.now = 'end';
      const end = readEnd(this.ask(END));
      return { question, steps, end, taken: this.takenAfterwards(), lost: undefined, lines };
    } catch (error) {
      if (!(error instanceof GuestLost)) throw error;
      return { question, steps, end: undefined, taken: [], lost: this.lost(error), lines };
    }
  }

  private lost({ end, console }: GuestLost): Lost {
    const step = this.steps.length;
    const errno = this.now === 'look' ? this.answered : undefined;
    return { step, in: this.now, errno, hangs: end === 'hangs', console, promised: this.promises };
  }

  private ask(line: string): string {
    const answer = item(this.guest.ask([line]), 0);
    this.lines.push({ line, answer });
    return answer;
  }

  /** Whether the history continues as it was drawn. */
  private step(action: Action): boolean {
    this.now = 'call';
    const line = this.ask(ownLine(this.question, action));
    const answer = action.do === 'call' ? readCall(line, this.question.cast, this.places) : readOp(line);
    const errno = 'errno' in answer ? errnoIn(answer) : 0;
    // This kernel has no such call: the rest would be another history.
    if (action.do === 'fail' && errno !== 0) return false;
    const failed = 'errno' in answer && answer.hasFailed ? this.ordered : undefined;
    if (action.do === 'fail') this.ordered = action.fault;
    if (failed !== undefined) this.faults = [...this.faults, failed];
    const before = this.promises;
    this.promises = promised(before, action, { errno, warnings: [] });
    this.now = 'look';
    this.answered = errno;
    const looks = this.look();
    const { faults, promises } = this;
    this.steps.push({ action, answer, errno, failed, faults, promised: before, promises, looks });
    return this.expected.isAsDrawn(action, errno);
  }

  /** Twice each: what the first direct call leaves refuses the second. BPF programs take none, and are closed by then. */
  private takenAfterwards(): TakenFunction[] {
    const functions = this.loaded().filter(({ bpf }) => !bpf);
    return functions.flatMap((fn) => {
      const errnos = [this.directCall(fn), this.directCall(fn)];
      return errnos
        .filter((errno) => errno !== '0')
        .slice(0, 1)
        .map((errno) => ({ fn: fn.name, errno }));
    });
  }

  /** A kernel that answers again needs no copy of these lines. */
  private directCall(fn: TracedFunction): string {
    const { before, direct, after } = freeLines(this.question, fn);
    this.guest.ask(before);
    const { errno } = readOp(item(this.guest.ask([direct]), 0));
    this.guest.ask(after);
    return errno;
  }

  /** The functions that have text. */
  private loaded(): readonly TracedFunction[] {
    const gone = Object.values(this.promises.modules).flatMap(({ live, functions }) =>
      live ? [] : functions,
    );
    return this.question.case.functions.filter(({ name }) => !gone.includes(name));
  }

  private look(): ObservedLook[] {
    const { question, places } = this;
    // Where all of them are, first: a function may call another.
    const entries = lookLinesAt(question, this.loaded()).map(({ fn, entry, call }) => {
      const seen = readEntry(this.ask(entry));
      places.set(fn.name, seen.address);
      return { fn, entry: seen, call };
    });
    return entries.map(({ fn, entry, call }) => {
      return { fn, entry, call: lookAt(fn), answer: readCall(this.ask(call), question.cast, places) };
    });
  }
}

function errnoIn({ errno }: OpAnswer): Errno | 0 {
  return errno === '0' ? 0 : (errno as Errno);
}

/** The transcript as a kernel that answers the same again. */
export function answeringAgain({ lines, lost }: Transcript): Answering {
  let next = 0;
  const answer = (line: string): string => {
    // The end is asked for at the first difference.
    const place = line === END ? lines.length - 1 : next++;
    const said = lines[place];
    if (said !== undefined && said.line === line) return said.answer;
    throw new GuestLost(lost?.hangs === true ? 'hangs' : 'ended', lost?.console ?? []);
  };
  return { ask: (asked) => asked.map(answer) };
}
