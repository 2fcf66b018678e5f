import { modelLine, recordedLine } from '../../conformance/sequences/enabled.ts';
import { modelEntry, recordedEntry } from '../../conformance/sequences/entry.ts';
import { atEachPace, distinct } from '../../conformance/sequences/paces.ts';
import type { Action } from '../../model/client/all.ts';
import type { Call } from '../../model/client/call.ts';
import { item } from '../../model/core/present.ts';
import { bootKernel } from '../../model/kernel.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { GuestLost } from '../boot/guest.ts';
import type { CallAnswer, EntryAnswer } from './answer.ts';
import { readCall, readEnd, readEntry, readOp } from './answer.ts';
import type { CastHistory, LookLines } from './cast-history.ts';
import { END, END_SECONDS, hitLines, lookAt, lookLines, open, ownLine } from './cast-history.ts';
import { isTakenForFreed, mayCallFreed } from './dead-ftrace.ts';
import type { Aspect, KernelDifference } from './difference.ts';
import { isSameList } from './difference.ts';
import type { Answering, HistoryVerdict } from './history-verdict.ts';
import { brokenCall, ModelBranch, mayBeLost } from './model-branch.ts';
import { OrderedFailure } from './ordered-failure.ts';
import { asRecorded, inOldWords, lostRegisters } from './recorded-words.ts';
import type { SameLines } from './same-lines.ts';
import { isSameDeadPlaces, isSameFirst, isSamePlaces } from './same-lines.ts';
import type { Compared } from './seen.ts';
import { comparedIn, inSameWords, narrowed, seenByModel } from './seen.ts';

/*
 * A history, asked of a kernel call by call, and compared after each with the model:
 *
 * ```text
 *   the call's errno ── for each function: its entry, its line in enabled_functions, a call with all events
 * ```
 *
 * How long a grace period takes is not recorded: all paces of the model are followed side by side, and those that agree
 * continue. At the first difference the rest is not run, since what a client does next would no longer be what it knows.
 */

/** Runs a history, takes everything off again, and says where the kernel and the model part. */
export function runHistory(guest: Answering, question: CastHistory): HistoryVerdict {
  return new Asking(guest, question).all();
}

class Asking {
  private branches: ModelBranch[];
  private readonly answers: string[] = [];
  private readonly warnings: string[] = [];
  private readonly places = new Map<string, bigint>();
  private readonly compared: Compared;
  private readonly failure = new OrderedFailure();
  private count = 0;
  /** What the kernel is at, and the function that it examines for that. */
  private at: { readonly action: Action; readonly fn: string } | undefined;

  constructor(
    private readonly guest: Answering,
    private readonly question: CastHistory,
  ) {
    const { profile, functions, tracepoints = [] } = question.case;
    this.branches = [new ModelBranch(bootKernel({ profile, boot: 'default', functions, tracepoints }))];
    this.compared = comparedIn(question.case);
  }

  all(): HistoryVerdict {
    let difference: KernelDifference | undefined;
    let isEnding = false;
    try {
      open(this.question, (lines) => this.guest.ask(lines));
      difference = this.steps();
      isEnding = true;
      const end = readEnd(item(this.guest.ask([END], END_SECONDS), 0));
      const damaged = end.left.length > 0 || end.direct !== '0';
      return this.verdict(difference, damaged, false);
    } catch (error) {
      if (!(error instanceof GuestLost)) throw error;
      return this.verdict(isEnding ? difference : this.lost(error), true, isEnding);
    }
  }

  private verdict(
    difference: KernelDifference | undefined,
    damaged: boolean,
    lostAtEnd: boolean,
  ): HistoryVerdict {
    const { answers, warnings, count } = this;
    return { difference, answers, warnings, compared: count, damaged, lostAtEnd };
  }

  /** A kernel that is gone answers no more; the model would have, if it does not crash there as well. */
  private lost({ end, console }: GuestLost): KernelDifference | undefined {
    const { action, fn = '' } = this.at ?? {};
    if (action && this.branches.some((branch) => mayBeLost(branch, action))) return undefined;
    const kernel = [end === 'hangs' ? 'hangs' : 'crashes', ...console];
    const step = this.answers.length - (fn === '' ? 0 : 1);
    return { step, aspect: 'kernel lost', fn, kernel, model: ['continues'] };
  }

  private steps(): KernelDifference | undefined {
    for (const [step, action] of this.question.case.actions.entries()) {
      const difference = this.step(step, action);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  private step(step: number, action: Action): KernelDifference | undefined {
    this.branches = this.branches.flatMap((branch) => atEachPace(branch));
    this.at = { action, fn: '' };
    const line = item(this.guest.ask([ownLine(this.question, action)]), 0);
    const difference = action.do === 'call' ? this.call(step, action, line) : this.errno(step, action, line);
    if (difference !== undefined) return difference;
    // A work item that the call has left may have run by now.
    this.branches = this.branches.flatMap((branch) => atEachPace(branch));
    const found = this.look(step, lookLines(this.question, item(this.branches, 0).k)) ?? this.hits(step);
    if (found !== undefined) return found;
    this.branches = distinct(this.branches, ({ k }) => k);
    return undefined;
  }

  /** Where all of the functions are, first: one may call another. */
  private look(step: number, looks: readonly LookLines[]): KernelDifference | undefined {
    for (const { fn, entry } of looks) {
      this.at = { action: lookAt(fn), fn: fn.name };
      const seen = readEntry(item(this.guest.ask([entry]), 0));
      this.places.set(fn.name, seen.address);
      const found = this.entry(step, fn, seen);
      if (found !== undefined) return found;
    }
    for (const { fn, call } of looks) {
      this.at = { action: lookAt(fn), fn: fn.name };
      const found = this.call(step, lookAt(fn), item(this.guest.ask([call]), 0), fn.name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Each tracepoint is hit. */
  private hits(step: number): KernelDifference | undefined {
    for (const { name, call, line } of hitLines(this.question)) {
      this.at = { action: call, fn: name };
      const found = this.call(step, call, item(this.guest.ask([line]), 0), name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private errno(step: number, action: Action, line: string): KernelDifference | undefined {
    const { errno: answered, log, warnings } = readOp(line);
    const errno = action.do === 'fail' ? this.failure.answered(action.fault, answered) : answered;
    this.warnings.push(...warnings);
    this.answers.push(errno === '0' ? '0' : `-${errno}`);
    const kernel = [errno, ...(log === '' || errno === '0' ? [] : [log])];
    return this.keep({ step, aspect: 'errno', fn: '' }, kernel, (branch) => {
      if (isTakenForFreed(branch.k, action, errno)) return [errno];
      const { errno: answer, died } = branch.do(action);
      this.failure.requireNone(branch.k);
      return died === undefined ? [String(answer)] : ['crashes'];
    });
  }

  private entry(step: number, fn: TracedFunction, seen: EntryAnswer): KernelDifference | undefined {
    const placed = (aspect: Aspect) => ({ step, aspect, fn: fn.name });
    const target = recordedEntry(inOldWords(seen.target), seen.isJump);
    const found = this.keep(
      placed('entry'),
      [target],
      ({ k }) => [modelEntry({ k }, fn.name)],
      this.isSameEntry(),
    );
    if (found !== undefined || seen.enabled === undefined) return found;
    const line = recordedLine(asRecorded(seen.enabled));
    return this.keep(
      placed('enabled_functions'),
      [line],
      ({ k }) => [modelLine({ k }, fn.name)],
      this.isSameEntry(),
    );
  }

  private isSameEntry(): SameLines {
    return this.branches.every(({ k }) => mayCallFreed(k)) ? isSameDeadPlaces : isSamePlaces;
  }

  /** A call of the history, or of a examination of a function. */
  private call(step: number, call: Call, line: string, look?: string): KernelDifference | undefined {
    if (look === undefined) this.answers.push('');
    const answer = readCall(line, this.question.cast, this.places);
    this.warnings.push(...answer.warnings);
    const outcomes = new Map(this.branches.map((branch) => [branch, branch.do(call)]));
    const place = { step, fn: look ?? '' };
    const whole = this.keep({ ...place, aspect: 'call' }, ['returns'], (branch) => [
      brokenCall(outcomes.get(branch)!) ?? 'returns',
    ]);
    if (whole !== undefined) return whole;
    const events = (branch: ModelBranch) => this.events(branch, answer, outcomes.get(branch)!.call!.events);
    const parted = events(item(this.branches, 0));
    const agreeing = this.branches.filter((branch) => {
      const { kernel, model } = events(branch);
      return isSameList(kernel, model);
    });
    this.count++;
    if (agreeing.length === 0) return { ...place, aspect: 'events', ...parted };
    this.branches = agreeing;
    return (
      this.keep({ ...place, aspect: 'rax' }, [this.narrow(answer.rax, call)], (branch) => [
        this.narrow(outcomes.get(branch)!.call!.rax, call),
      ]) ??
      this.keep({ ...place, aspect: 'preserved registers' }, [lostRegisters(answer)], (branch) => [
        outcomes.get(branch)!.call!.calleeSaved.join(' '),
      ])
    );
  }

  /** What a call returns, as the type of its function has it; a hit of a tracepoint returns nothing. */
  private narrow(rax: string, { fn }: Call): string {
    const own = this.question.case.functions.find(({ name }) => name === fn);
    return own === undefined ? 'nothing' : narrowed(rax, own);
  }

  private events(
    { k }: ModelBranch,
    { events }: CallAnswer,
    model: Parameters<typeof seenByModel>[1][] | readonly Parameters<typeof seenByModel>[1][],
  ) {
    return inSameWords(
      events,
      model.map((event) => seenByModel(k, event)),
      this.compared,
    );
  }

  /** Keeps the branches that say the same as the kernel; if none does, that is the difference. */
  private keep(
    place: Pick<KernelDifference, 'step' | 'aspect' | 'fn'>,
    kernel: readonly string[],
    modelOf: (branch: ModelBranch) => readonly string[],
    isSame: SameLines = isSameFirst,
  ): KernelDifference | undefined {
    this.count++;
    const models = this.branches.map(modelOf);
    const agreeing = this.branches.filter((_, i) => isSame(kernel, item(models, i)));
    if (agreeing.length === 0) return { ...place, kernel, model: item(models, 0) };
    this.branches = agreeing;
    return undefined;
  }
}
