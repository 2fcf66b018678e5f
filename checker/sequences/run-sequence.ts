import type { Action } from '../../model/action.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Watch } from '../../model/core/run.ts';
import type { Fault } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { apply, KERNEL_PROGRAM, step } from '../../model/step.ts';
import type { AttachFinding } from '../../properties/finding/attach-finding.ts';
import { inOneLine, rendered } from '../../properties/finding/render.ts';
import type { Said } from '../../properties/finding/said.ts';
import type { AttachLaw, Moment, Previous } from '../../properties/law/sequence-law.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { AttachCase } from './attach-case.ts';
import { FAULTS } from './faults.ts';

/** What a sequence is asked. */
export interface AttachQuestion {
  readonly laws: readonly AttachLaw[];
  /** The kernel's routines; a planted bug brings its own. What breaks a law without it too is not the bug's doing. */
  readonly program?: KernelProgram;
  readonly watch?: Watch;
  readonly known?: readonly KnownAttachBreach[];
}

/** One action of a sequence, with the kernel before and after it. */
export type Step = Pick<Moment, 'before' | 'action' | 'outcome' | 'after'>;

/** The first law that a sequence broke, and where. */
export interface AttachBreach {
  readonly law: AttachLaw;
  readonly finding: AttachFinding;
  /** Index of the action. */
  readonly at: number;
  readonly moment: Moment;
}

/** A breach with what its finding says: it goes when known breaches are told by fields. */
export interface WordedBreach extends Omit<AttachBreach, 'finding'> {
  readonly finding: Said;
}

/** A breach that real kernels show: of which law, in which kernels, and what it looks like. */
export interface KnownAttachBreach {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /** Further designs that have it as well. */
  readonly variants?: readonly string[];
  /** What the finding says. */
  readonly shows: RegExp;
  /** What has to be true besides. */
  readonly when?: (breach: WordedBreach) => boolean;
  /** It leaves nothing behind: a sequence goes on after it. */
  readonly goesOn?: true;
}

function isKnown(entry: KnownAttachBreach, breach: AttachBreach): boolean {
  const { law, kernels, shows, when } = entry;
  const { kernel, multiLinks } = profileNamed(breach.moment.before.profile);
  const designs = [entry.multiLinks ?? multiLinks, ...(entry.variants ?? [])];
  if (!designs.includes(multiLinks)) return false;
  if (breach.law.name !== law || !kernels.includes(kernel)) return false;
  return (
    shows.test(inOneLine(breach.finding)) &&
    (when?.({ ...breach, finding: rendered(breach.finding) }) ?? true)
  );
}

export interface SequenceRun {
  readonly outcomes: readonly Outcome[];
  /** Laws that had a say. */
  readonly witnesses: ReadonlySet<AttachLaw>;
  readonly breach: AttachBreach | undefined;
  /** The known breach that it is, if any. */
  readonly known: KnownAttachBreach | undefined;
  /** The breach, unless it is known, or shown without the planted bug as well. */
  readonly newBreach: AttachBreach | undefined;
  /** The kernel died: what came after was not looked at. */
  readonly died: boolean;
}

/** A kernel in which a sequence is being played, one action after the other. */
export class Player {
  readonly actions: Action[] = [];
  readonly outcomes: Outcome[] = [];
  readonly witnesses = new Set<AttachLaw>();
  /** The last one: a sequence goes on after those that leave nothing behind. */
  breach: AttachBreach | undefined;
  /** The known breach that it is. */
  known: KnownAttachBreach | undefined;
  /** All known ones that were shown. */
  readonly shown = new Set<KnownAttachBreach>();
  /** The breach, unless it is known, or shown without the planted bug as well. */
  newBreach: AttachBreach | undefined;
  died = false;
  promises: Promises;
  private readonly k: Kernel;
  private readonly start: Omit<AttachCase, 'actions'>;
  private readonly question: AttachQuestion;
  private readonly program: KernelProgram;
  private injected = false;
  private previous: Previous | undefined;

  constructor(start: Omit<AttachCase, 'actions'>, question: AttachQuestion) {
    const { profile, functions, tracepoints = [] } = start;
    this.k = bootKernel({ profile, boot: 'default', functions, tracepoints });
    this.start = start;
    this.question = question;
    this.program = question.program ?? KERNEL_PROGRAM;
    this.promises = nothingPromised(profile, functions);
  }

  /** Does an action and asks all laws; afterwards nothing is done any more if one is broken or the kernel died. */
  play(action: Action): Outcome {
    const before = copyKernel(this.k);
    const outcome = apply(this.k, action, this.program, this.question.watch);
    if (before.fault !== null && this.k.fault === null) this.injected = true;
    const promises = promised(this.promises, action, outcome);
    const moment: Moment = {
      previous: this.previous,
      before,
      action,
      outcome,
      after: this.k,
      promised: this.promises,
      promises,
      program: this.program,
      injected: this.injected,
    };
    this.actions.push(action);
    this.outcomes.push(outcome);
    this.promises = promises;
    this.died = outcome.died !== undefined;
    this.judge(moment);
    this.previous = { before, action, outcome, promised: moment.promised };
    return outcome;
  }

  /** The failures that would hit this action if it were done now; a planted bug may need memory of its own. */
  faultsOf(action: Action): Fault[] {
    const passed = new Set<string>();
    const needs = new Set<string>();
    apply(copyKernel(this.k), action, this.program, {
      step: ({ routine, allocates }) => {
        passed.add(routine);
        if (allocates) needs.add(routine);
      },
    });
    const listed = FAULTS.filter(({ where }) => passed.has(where));
    const own = [...needs].filter((routine) => listed.every(({ where }) => where !== routine));
    return [...listed, ...own.map((where): Fault => ({ what: 'allocation', where }))];
  }

  get isOver(): boolean {
    return this.died || (this.breach !== undefined && this.known?.goesOn !== true);
  }

  private judge(moment: Moment): void {
    for (const law of this.question.laws) {
      const judgement = law.judge(moment);
      if (judgement === 'no say') continue;
      this.witnesses.add(law);
      if (judgement === 'held') continue;
      const at = this.outcomes.length - 1;
      const breach = { law, finding: judgement, at, moment: { ...moment, after: copyKernel(this.k) } };
      this.breach = breach;
      this.known = this.question.known?.find((known) => isKnown(known, breach));
      if (this.known !== undefined) this.shown.add(this.known);
      if (this.known?.goesOn === true) continue;
      if (this.known === undefined && !this.isBrokenAnyway(law)) this.newBreach = breach;
      return;
    }
  }

  /** Whether the kernel without its planted bug breaks a law in the same sequence. */
  private isBrokenAnyway(law: AttachLaw): boolean {
    const { program } = this.question;
    if (program === undefined || program === KERNEL_PROGRAM) return false;
    return runSequence({ ...this.start, actions: this.actions }, { laws: [law] }).breach !== undefined;
  }
}

/** Plays a whole sequence, to its end or to the first breach that it does not go on after. */
export function runSequence(c: AttachCase, question: AttachQuestion): SequenceRun {
  const player = new Player(c, question);
  for (const action of c.actions) {
    if (player.isOver) break;
    player.play(action);
  }
  const { outcomes, witnesses, breach, known, newBreach, died } = player;
  return { outcomes, witnesses, breach, known, newBreach, died };
}

/** Every step of a sequence up to its end or its first breach, for a report. */
export function stepsOf(
  c: AttachCase,
  program: KernelProgram = KERNEL_PROGRAM,
  upTo = c.actions.length,
): Step[] {
  const { profile, functions, tracepoints = [] } = c;
  let before = bootKernel({ profile, boot: 'default', functions, tracepoints });
  return c.actions.slice(0, upTo).map((action) => {
    const { kernel: after, outcome } = step(before, action, program);
    const done = { before, action, outcome, after };
    before = after;
    return done;
  });
}
