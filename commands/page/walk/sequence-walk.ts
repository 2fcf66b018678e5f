import type { ExplainedMoment } from '../../../checker/explain/moment.ts';
import type { AttachCase } from '../../../checker/sequences/attach-case.ts';
import { untilItDies } from '../../../checker/sequences/judge-sequence.ts';
import type { Step } from '../../../checker/sequences/played.ts';
import { runSequence } from '../../../checker/sequences/run-sequence.ts';
import { stepsOf } from '../../../checker/sequences/steps-of.ts';
import { answerOf } from '../../../counterexamples/sequences/attach-report.ts';
import { delta } from '../../../counterexamples/sequences/delta.ts';
import { printAction } from '../../../model/action-text.ts';
import type { KernelProgram } from '../../../model/call/kernel-program.ts';
import { crashText } from '../../../model/core/crash-words.ts';
import { item } from '../../../model/core/present.ts';
import { warningText } from '../../../model/core/warning-words.ts';
import { bootKernel } from '../../../model/kernel.ts';
import { rendered } from '../../../properties/finding/render.ts';
import type { AttachLaw } from '../../../properties/law/sequence-law.ts';
import { copyKernel } from '../../../properties/observed/copy-kernel.ts';
import { plantedKernel } from '../../../properties/planted/kernel.ts';
import type { AttachPlanted } from '../../../properties/planted/sequences/planted.ts';
import type { ToldCall } from '../../explain/call-text.ts';
import { eventText } from '../../explain/event-text.ts';
import { observedStep } from '../../explain/observed-step.ts';
import { CallViews } from './call-views.ts';
import type { BoardSection } from './kernel-board.ts';
import { kernelSections, textSections } from './kernel-board.ts';
import { remember } from './machine-view.ts';
import type { FindingWalk, NextMove, WalkedStep, WalkStand, WalkVerdict } from './stand.ts';

const CLIENTS = 'clients';
const TASK = 'task#1';

/** A stand of a sequence. */
export interface Placed {
  readonly stand: WalkStand;
  /** How many actions are over; undefined: it is in the middle of a call. */
  readonly over: number | undefined;
  /** The kernel has crashed. */
  readonly hasDied: boolean;
}

/**
 * A walk through a sequence of calls: an action at a time, and a call of a function from one piece of code to the next.
 * Another order of the actions may be chosen.
 */
export class SequenceWalk implements FindingWalk {
  readonly actors: readonly string[] = [CLIENTS, TASK];
  private readonly program: KernelProgram;
  private readonly remembered = { plans: new Map(), pages: new Map() };
  private order: readonly number[];
  /** The stands, with how many actions are over at each. */
  all: readonly Placed[];

  constructor(
    private readonly c: AttachCase,
    private readonly law: AttachLaw | undefined,
    planted: AttachPlanted | undefined,
  ) {
    this.program = plantedKernel(planted);
    this.order = c.actions.map((_, i) => i);
    this.all = this.played();
  }

  get stands(): readonly WalkStand[] {
    return this.all.map(({ stand }) => stand);
  }

  /** The actions that have not been made: in the middle of a call, that it runs on. */
  choices(stand: number): NextMove[] {
    const { over, hasDied } = item(this.all, stand);
    if (hasDied) return [];
    if (over === undefined) return [{ actor: TASK, turn: '', does: 'the call runs on', isSaved: true }];
    const isSaved = this.order.slice(0, over).every((action, i) => action === i);
    return this.leftAfter(over).map((action) => ({
      actor: '',
      turn: '',
      does: printAction(item(this.c.actions, action), this.c),
      isSaved: isSaved && action === over,
    }));
  }

  choose(stand: number, choice: number): void {
    const { over } = item(this.all, stand);
    if (over === undefined) return;
    const next = item(this.leftAfter(over), choice);
    if (this.order[over] === next) return;
    this.order = [...this.order.slice(0, over), next];
    const isSaved = this.order.every((action, i) => action === i);
    if (isSaved) this.reset();
    else this.all = this.played();
  }

  reset(): void {
    this.order = this.c.actions.map((_, i) => i);
    this.all = this.played();
  }

  private leftAfter(over: number): number[] {
    const made = new Set(this.order.slice(0, over));
    return this.c.actions.flatMap((_, i) => (made.has(i) ? [] : [i]));
  }

  /** Every stand of the chosen order. */
  private played(): Placed[] {
    const { profile, functions, tracepoints = [] } = this.c;
    const c = { ...this.c, actions: this.order.map((i) => item(this.c.actions, i)) };
    const boot = bootKernel({ profile, boot: 'default', functions, tracepoints });
    const first: Placed = { stand: standOf(undefined, boot, [], undefined), over: 0, hasDied: false };
    const verdicts = this.verdictsOn(c);
    const steps = untilItDies(stepsOf(c, this.program));
    remember(this.remembered, boot);
    return [first, ...steps.flatMap((step, i) => this.standsOf(step, i + 1, verdicts.get(i)))];
  }

  /** How the sequence ends, by the number of the action. */
  private verdictsOn(c: AttachCase): ReadonlyMap<number, WalkVerdict> {
    const { law, program } = this;
    const { breach } = runSequence(c, { laws: law === undefined ? [] : [law], program });
    if (breach !== undefined)
      return new Map([[breach.at, { is: 'broken', law: breach.law.name, ...rendered(breach.finding) }]]);
    const isWhole = c.actions.length === this.c.actions.length;
    return isWhole && law !== undefined ? new Map([[c.actions.length - 1, { is: 'held' }]]) : new Map();
  }

  private standsOf(step: Step, over: number, verdict: WalkVerdict | undefined): Placed[] {
    const { action, outcome, before, after } = step;
    remember(this.remembered, copyKernel(after));
    // A call that crashes the kernel has no transfers to show.
    const call = observedStep(step, this.program);
    const answer = answerOf(action, outcome);
    const does = printAction(action, this.c);
    const within = call === undefined ? [] : this.within(call, before, does);
    const told: WalkedStep = {
      actor: action.do === 'call' ? TASK : CLIENTS,
      turn: '',
      begins: call !== undefined ? '' : does,
      does: call !== undefined ? call.end : answer === '' ? 'done' : `= ${answer}`,
      changes: delta(before, after),
      said: outcome.warnings.map((warning) => `WARN ${warningText(warning)}`),
    };
    const crashed: WalkVerdict | undefined =
      outcome.died === undefined ? undefined : { is: 'crash', observed: crashText(outcome.died) };
    const hasDied = outcome.died !== undefined;
    const last = { stand: standOf(told, after, [], verdict ?? crashed), over, hasDied };
    return [...within.map((stand) => ({ stand, over: undefined, hasDied: false })), last];
  }

  /** The transfers of a call, each with what clients saw there. */
  private within(call: ToldCall, k: Step['before'], does: string): WalkStand[] {
    const views = new CallViews(k, call.plans, this.remembered);
    return call.moments.map((moment, i) => {
      const told: WalkedStep = {
        actor: TASK,
        turn: '',
        begins: i === 0 ? does : '',
        does: arrivalText(moment),
        changes: [],
        said: moment.events.map((event) => eventText(event, call)),
      };
      return standOf(told, k, [views.view(TASK, moment)], undefined);
    });
  }
}

function standOf(
  told: WalkedStep | undefined,
  k: Step['before'],
  machines: WalkStand['machines'],
  verdict: WalkVerdict | undefined,
): WalkStand {
  const board: BoardSection[] = [...textSections(k), ...kernelSections(k)].filter(
    ({ rows }) => rows.length > 0,
  );
  return { told, board, machines, verdict };
}

/** `f1+0x4 calls tramp#1, to return to f1+0x9`. */
function arrivalText({ how, from, to, back, stack }: ExplainedMoment): string {
  switch (how) {
    case 'call':
      return `${from} calls ${to}${back === undefined ? '' : `, to return to ${stack[0]?.code ?? 'nowhere'}`}`;
    case 'jump':
      return `${from} jumps to ${to}`;
    case 'return':
      return `${from} returns to ${to}`;
    case 'done in C':
      return `${to}: the function in C is done`;
  }
}
