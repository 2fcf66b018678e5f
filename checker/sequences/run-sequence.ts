import { ifModelled } from '../../model/call/exception.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { item } from '../../model/core/present.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { AttachLaw, Moment } from '../../properties/law/sequence-law.ts';
import type { LockEdges } from '../../properties/locks/lock-order.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { snapshotOf } from '../../properties/observed/snapshot.ts';
import type { WaitHistory } from '../../properties/waits/wait-watch.ts';
import { NOTHING_WAITED } from '../../properties/waits/wait-watch.ts';
import type { AttachCase } from './attach-case.ts';
import { judged, lawsOn } from './exceptions.ts';
import { faultsOn } from './faults-on.ts';
import type { KnownAttachBreach } from './known-breach.ts';
import { isListed, isUnchanged, unchangedFor } from './known-breach.ts';
import type { AttachBreach, AttachQuestion, Played, SequenceRun } from './played.ts';
import { withoutRefusedLinks } from './refused-links.ts';
import { applyWatched } from './watched-locks.ts';

/** A kernel in which a sequence is being played, one action after the other. */
export class SequencePlayer {
  readonly witnesses = new Set<AttachLaw>();
  /** The last one: a sequence continues after those that do not corrupt the state. */
  breach: AttachBreach | undefined;
  /** The known breach that it is. */
  known: KnownAttachBreach | undefined;
  /** All known ones that were shown. */
  readonly shown = new Set<KnownAttachBreach>();
  /** The breach, unless it is known, or shown without the planted bug as well. */
  newBreach: AttachBreach | undefined;
  died = false;
  promises: Promises;
  readonly k: Kernel;
  /** The kernel after the last action. */
  private now: KernelView;
  private readonly start: Omit<AttachCase, 'actions'>;
  private readonly question: AttachQuestion;
  private readonly program: KernelProgram;
  faults: readonly InjectedFault[];
  /** The order in which locks were taken. */
  private lockEdges: LockEdges;
  /** The grace periods that were waited for so far. */
  private waits: WaitHistory;
  /** The action that has begun and has no outcome: one that meets something not modelled. */
  underWay: readonly Action[] = [];
  readonly history: Played[];

  /**
   * A kernel that has just booted, or has the state of another player's kernel before one of its actions, or after all of
   * them.
   */
  constructor(
    start: Omit<AttachCase, 'actions'>,
    question: AttachQuestion,
    resumed?: { readonly from: SequencePlayer; readonly before: number },
  ) {
    const { profile, functions, tracepoints = [] } = start;
    const then = resumed?.from.stateAt(resumed.before);
    this.k = then
      ? copyKernel(then.before)
      : bootKernel({ profile, boot: 'default', functions, tracepoints });
    this.now = snapshotOf(this.k, then?.before);
    this.start = start;
    this.question = question;
    this.program = question.program ?? KERNEL_PROGRAM;
    this.promises = then?.promised ?? nothingPromised(profile, functions);
    this.faults = then?.faults ?? [];
    this.lockEdges = then?.lockEdges ?? new Map();
    this.waits = then?.waits ?? NOTHING_WAITED;
    this.history = resumed?.from.history.slice(0, resumed.before) ?? [];
  }

  private stateAt(index: number): Omit<Played, 'action' | 'outcome'> {
    if (index < this.history.length) return item(this.history, index);
    const { now, promises, faults, lockEdges, waits } = this;
    return { before: now, promised: promises, faults, lockEdges, waits };
  }

  get played(): number {
    return this.history.length;
  }

  get actions(): Action[] {
    return this.history.map(({ action }) => action);
  }

  get outcomes(): Outcome[] {
    return this.history.map(({ outcome }) => outcome);
  }

  /** Runs an action and checks all laws; once a law is broken or the kernel has crashed, nothing more is run. */
  play(action: Action): Outcome {
    const { now: before, faults, lockEdges, waits, program } = this;
    this.underWay = [action];
    const past = { before, lockEdges, waits };
    const watched = applyWatched(this.k, action, program, this.question, past);
    const { outcome, locking, freeing } = watched;
    this.lockEdges = watched.lockEdges;
    this.waits = watched.waits;
    if (before.fault !== null && this.k.fault === null) this.faults = [...faults, before.fault];
    this.now = watched.after;
    const promises = promised(this.promises, action, outcome);
    const moment: Moment = {
      previous: this.history.at(-1),
      before,
      action,
      outcome,
      after: this.now,
      promised: this.promises,
      promises,
      program,
      faults: this.faults,
      locking,
      freeing,
    };
    this.history.push({ before, action, outcome, promised: this.promises, faults, lockEdges, waits });
    this.underWay = [];
    this.promises = promises;
    this.died = outcome.died !== undefined;
    this.judge(moment);
    return outcome;
  }

  /** The failures that would hit this action if it were run now. */
  faultsOf(action: Action): InjectedFault[] {
    this.underWay = [action];
    const faults = faultsOn(copyKernel(this.k), action, this.program);
    this.underWay = [];
    return faults;
  }

  get isOver(): boolean {
    return this.died || (this.breach !== undefined && this.known?.goesOn !== true);
  }

  /** What a law, or an entry, reads of a kernel need not be there after a known breach of another law. */
  private judge(moment: Moment): void {
    try {
      this.judgeLaws(moment);
    } catch (error) {
      if (!this.endsAsConsequence()) throw error;
    }
  }

  private judgeLaws(moment: Moment): void {
    for (const law of lawsOn(moment, this.question.laws)) {
      const judgement = judged(law, moment);
      if (judgement === 'not applicable') continue;
      this.witnesses.add(law);
      if (judgement === 'held') continue;
      const index = this.history.length - 1;
      const history = this.history.slice(0, index);
      const breach: AttachBreach = { law, finding: judgement, at: index, moment, history };
      this.breach = breach;
      this.known = this.knownOf(breach);
      if (this.known !== undefined) this.shown.add(this.known);
      if (this.known?.goesOn === true) continue;
      if (this.known === undefined && !this.isBrokenAnyway(breach) && !this.endsAsConsequence())
        this.newBreach = breach;
      return;
    }
  }

  /**
   * With all laws, the sequence would have ended at a known breach that corrupts the state, now or earlier: what a law
   * finds after it follows from that. Ends it there.
   */
  private endsAsConsequence(): boolean {
    const { others, program, known, asKernel } = this.question;
    if (others === undefined || known === undefined) return false;
    const c = { ...this.start, actions: this.actions };
    const run = runSequence(c, {
      laws: others,
      known,
      ...(program && { program }),
      ...(asKernel && { asKernel }),
    });
    if (run.newBreach !== undefined || run.known === undefined || run.known.goesOn === true) return false;
    this.breach = run.breach;
    this.known = run.known;
    this.shown.add(run.known);
    return true;
  }

  /** The list entry of a known breach. */
  private knownOf(breach: AttachBreach): KnownAttachBreach | undefined {
    return this.question.known?.find((known) => isListed(known, breach) && this.holds(known, breach));
  }

  /**
   * Whether the step of the known breach also exercises a law that is checked after the broken one: it holds there,
   * or is broken in a listed way. Any other result may be a consequence of the known breach.
   */
  isTestedBehindKnown(law: AttachLaw): boolean {
    if (this.breach === undefined || this.known === undefined) return false;
    const finding = judged(law, this.breach.moment);
    if (typeof finding === 'string') return finding === 'held';
    return this.knownOf({ ...this.breach, law, finding }) !== undefined;
  }

  /**
   * Whether a list entry applies here: in a kernel that was changed, if the unchanged one breaks the same law at the
   * same step, in a listed way as well. An entry of a design is checked on that design, with nothing else changed.
   */
  private holds(entry: KnownAttachBreach, { law }: AttachBreach): boolean {
    if (!this.isEdited && isUnchanged(entry, this.start.profile)) return true;
    const likewise = [this.actions, withoutRefusedLinks(this.history)];
    return unchangedFor(entry, this.start.profile).some((profile) =>
      likewise.some((actions) => this.isShownIn(profile, actions, law)),
    );
  }

  /** Whether a profile breaks a law at the last step, in a listed way. One that cannot run the calls does not. */
  private isShownIn(profile: string, actions: readonly Action[], law: AttachLaw): boolean {
    const question = { laws: [law], known: this.question.known ?? [] };
    const run = ifModelled(() => runSequence({ ...this.start, profile, actions }, question));
    return run?.known !== undefined && run.breach?.at === actions.length - 1;
  }

  /** Whether the kernel without its planted bug breaks a law at the same step of the same sequence. */
  private isBrokenAnyway({ law, at: index }: AttachBreach): boolean {
    if (!this.isEdited) return false;
    return runSequence({ ...this.start, actions: this.actions }, { laws: [law] }).breach?.at === index;
  }

  /** The routines are not the kernel's own. */
  private get isEdited(): boolean {
    return this.program !== KERNEL_PROGRAM && this.question.asKernel !== true;
  }
}

/** Plays a whole sequence, to its end or to the first breach that ends it. */
export function runSequence(c: AttachCase, question: AttachQuestion): SequenceRun {
  const player = new SequencePlayer(c, question);
  for (const action of c.actions) {
    if (player.isOver) break;
    player.play(action);
  }
  const { outcomes, witnesses, breach, known, newBreach, died } = player;
  return { outcomes, witnesses, breach, known, newBreach, died };
}
