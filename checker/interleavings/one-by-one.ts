import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action, ActionOf } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { isSame } from '../../properties/finding/same.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { DoneOperation, Happening } from '../../properties/law/interleaving-law.ts';
import { areIndependent, footprintOf } from '../../properties/observed/footprint.ts';
import { addMisses, missesBetween } from '../../properties/observed/misses.ts';
import { ordersOf } from '../../properties/observed/possible-worlds.ts';
import type { AttachCase } from '../sequences/attach-case.ts';
import type { KnownAttachBreach } from '../sequences/known-breach.ts';
import type { AttachBreach, Step } from '../sequences/played.ts';
import { runSequence } from '../sequences/run-sequence.ts';
import { stepsOf } from '../sequences/steps-of.ts';
import { freedIn } from './cause/freed-thing.ts';
import type { HistoryMoment } from './cause/history.ts';
import type { Occurrence } from './occurrence.ts';
import type { Space } from './space.ts';

/*
 * A breach that occurs without any overlap: the operations of a scenario run one after the other, each with the same
 * answer, and the law is broken in the same way. It is then a breach on sequences, and is known if that is listed.
 */

/** Orders of the operations that are tried. */
const ORDERS_MOST = 120;

const SETTLE: Action = { do: 'settle' };

/**
 * The entry of a list of sequences that a breach matches. The kernel itself has to show it: with modified routines
 * this is checked with `asKernel` only.
 */
export function knownOneByOne<T extends KnownAttachBreach>(
  list: readonly T[],
  occurrence: Occurrence,
  asKernel?: true,
): T | undefined {
  const { space, law, finding } = occurrence;
  const last = occurrence.history();
  const done = doneOf(space, last);
  let asked = ASKED.get(space);
  if (asked === undefined) ASKED.set(space, (asked = new Map()));
  const key = JSON.stringify([
    law.name,
    finding,
    done.map(({ client, answer }) => [client, answer]),
    asKernel,
  ]);
  if (!asked.has(key)) {
    const program = asKernel === true ? space.program : KERNEL_PROGRAM;
    asked.set(key, new OneByOne(list, occurrence, program, done).known(last));
  }
  return list.find((entry) => entry === asked.get(key));
}

/** The results in each space. */
const ASKED = new WeakMap<Space, Map<string, KnownAttachBreach | undefined>>();

/** The operations that have begun, each with its answer if it has one. */
function doneOf(space: Space, last: HistoryMoment | undefined): DoneOperation[] {
  const state = last === undefined ? space.initial() : (last.after ?? last.before);
  return space.scenario.clients.flatMap((script, client) => {
    const { answers, frames } = space.clientOf(state, client);
    return script
      .slice(0, answers.length + (frames === null ? 0 : 1))
      .map((action, i) => ({ client, action, answer: answers[i] }));
  });
}

/** One breach, and the sequences that may show it. */
class OneByOne {
  constructor(
    private readonly list: readonly KnownAttachBreach[],
    private readonly occurrence: Occurrence,
    private readonly program: KernelProgram,
    private readonly done: readonly DoneOperation[],
  ) {}

  known(last: HistoryMoment | undefined): KnownAttachBreach | undefined {
    for (const order of ordersOf(this.done).slice(0, ORDERS_MOST)) {
      const known =
        last === undefined || this.isOfTheEnd ? this.atTheEnd(order) : this.onTheWay(order, last.move);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  /** A law on sequences, checked when all actors have finished. */
  private get isOfTheEnd(): boolean {
    return ATTACH_LAWS.some(({ name }) => name === this.occurrence.law.name);
  }

  private atTheEnd(order: readonly DoneOperation[]): KnownAttachBreach | undefined {
    const actions = [...this.setup, ...order.map(({ action }) => action), SETTLE];
    const steps = this.played(actions);
    const after = steps.at(-1)?.after;
    if (after === undefined || !this.isAnswered(steps, order)) return undefined;
    if (!this.shows({ is: 'end', done: order }, after)) return undefined;
    const laws = ATTACH_LAWS.filter(({ name }) => name === this.occurrence.law.name);
    return this.run(actions, laws).known;
  }

  /** In a call, or in an operation. */
  private onTheWay(
    order: readonly DoneOperation[],
    { who, index }: HistoryMoment['move'],
  ): KnownAttachBreach | undefined {
    if (who === 'caller') {
      const call: ActionOf<'call'> = {
        do: 'call',
        ...item(this.occurrence.space.scenario.callers, index).call,
      };
      for (let n = order.length; n >= 0; n--)
        for (const pause of [[], [SETTLE]]) {
          const known = this.inStep(order.slice(0, n), [...pause, call], index);
          if (known !== undefined) return known;
        }
      return undefined;
    }
    const n = order.findLastIndex(({ client }) => who !== 'client' || client === index);
    const own = order[n];
    return own === undefined ? undefined : this.inStep(order.slice(0, n), [own.action], index);
  }

  /** The last of some actions after completed operations. */
  private inStep(
    before: readonly DoneOperation[],
    then: readonly Action[],
    index: number,
  ): KnownAttachBreach | undefined {
    const actions = [...this.setup, ...before.map(({ action }) => action), ...then];
    const steps = this.played(actions);
    const shown = steps.at(-1);
    if (shown === undefined || steps.length < actions.length || !this.isAnswered(steps, before))
      return undefined;
    const happening = happeningIn(shown, before, index);
    if (happening === undefined || !this.shows(happening, shown.outcome.died ? shown.before : shown.after))
      return undefined;
    return this.listed(actions);
  }

  private get setup(): readonly Action[] {
    return this.occurrence.space.scenario.setup;
  }

  private caseOf(actions: readonly Action[]): AttachCase {
    const { profile, functions, tracepoints = [] } = this.occurrence.space.scenario;
    return { profile, functions, tracepoints, actions };
  }

  private played(actions: readonly Action[]): Step[] {
    const steps = stepsOf(this.caseOf(actions), this.program);
    const death = steps.findIndex(({ outcome }) => outcome.died !== undefined);
    return death < 0 ? steps : steps.slice(0, death + 1);
  }

  private isAnswered(steps: readonly Step[], order: readonly DoneOperation[]): boolean {
    return order.every(({ answer }, i) => {
      const outcome = steps[this.setup.length + i]?.outcome;
      return outcome !== undefined && (answer === undefined || outcome.errno === answer);
    });
  }

  private shows(happening: Happening, kernel: Step['after']): boolean {
    const { law, finding, space } = this.occurrence;
    const shown = law.judge({
      scenario: space.scenario,
      program: this.program,
      happening,
      kernel,
      running: [],
    });
    return typeof shown !== 'string' && isAlike(finding, shown);
  }

  /** What follows from a listed breach before it, of any law, is taken for that one. */
  private run(actions: readonly Action[], laws: readonly (typeof ATTACH_LAWS)[number][]) {
    const { list: known, program } = this;
    const question = { laws, others: ATTACH_LAWS, known, program, asKernel: true } as const;
    return runSequence(this.caseOf(actions), question);
  }

  /** The entry of a sequence, if all that it breaks is listed: the latest step related to its last one. */
  private listed(actions: readonly Action[]): KnownAttachBreach | undefined {
    const found: { readonly breach: AttachBreach; readonly known: KnownAttachBreach }[] = [];
    for (const law of ATTACH_LAWS) {
      const { breach, known } = this.run(actions, [law]);
      if (breach === undefined) continue;
      if (known === undefined) return undefined;
      if (touchesTheLast(breach, actions)) found.push({ breach, known });
    }
    const rank = ({ breach }: (typeof found)[number]) =>
      2 * breach.at + (breach.law.settled === true ? 0 : 1);
    return found.sort((a, b) => rank(b) - rank(a))[0]?.known;
  }
}

/** The event, for laws on interleavings, of an action that ran by itself. */
function happeningIn(
  { action, outcome, before: earlier, after }: Step,
  before: readonly DoneOperation[],
  caller: number,
): Happening | undefined {
  const { died, call, warnings }: Outcome = outcome;
  const crash = died ?? call?.fault;
  if (crash !== undefined) return { is: 'crash', crash };
  if (call !== undefined)
    return warnings.length > 0
      ? { is: 'warned', warnings }
      : {
          is: 'call over',
          caller,
          run: call,
          missed: addMisses({}, missesBetween(earlier, after)),
          by: 'task',
          within: undefined,
          before,
          during: [],
        };
  return warnings.length > 0 ? { is: 'warned', warnings, action, before } : undefined;
}

/**
 * Whether two findings of one law are equal: of a crash, the same missing object, at any place; of warnings, those
 * that exist.
 */
function isAlike(finding: TaskFinding, shown: TaskFinding): boolean {
  if (finding.is === 'warns' && shown.is === 'warns')
    return finding.warnings.every((warning) => shown.warnings.some((other) => isSame(warning, other)));
  const freed = freedIn(finding);
  return isSame(finding, shown) || (freed !== undefined && isSame(freed, freedIn(shown)));
}

/** Whether the action that breaks a law is related to the last one of a sequence, or is that. */
function touchesTheLast({ at: index, moment }: AttachBreach, actions: readonly Action[]): boolean {
  const last = item(actions, actions.length - 1);
  if (index === actions.length - 1) return true;
  const { promises, after, action, promised, before } = moment;
  const own = footprintOf(promised, before, action);
  const others = footprintOf(promises, after, last);
  return own !== undefined && others !== undefined && !areIndependent(own, others);
}
