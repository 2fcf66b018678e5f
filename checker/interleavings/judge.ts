import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { addTo } from '../../model/core/add-to.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { DoneOperation, Happening, TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { clientName, taskName } from './actor-names.ts';
import { namedWait, nameOfWork } from './actors.ts';
import type { TaskEvent } from './event.ts';
import { exceptionBreach, judged } from './exceptions.ts';
import type { LivelockTrap } from './liveness.ts';
import { isAnswer } from './operation-moves.ts';
import type { Stepped } from './operations.ts';
import type { Space } from './space.ts';
import type { EndedCounts, PackedState } from './state.ts';
import { conditionIn, countOf, OVER, standingIn } from './state.ts';
import { circleOf, waitOf } from './waits-for.ts';

/** A broken law, and its finding. */
export interface TaskBreach {
  readonly law: TaskLaw;
  readonly finding: TaskFinding;
}

/** Fetches of instructions in a text poke are all alike. */
const FETCHED = {};
/** So are runs of a program. */
const RAN = {};

/** The verdict: the first law that is broken, and all that applied. */
interface Verdict {
  readonly breach: TaskBreach | undefined;
  readonly said: readonly TaskLaw[];
}

/** Checks laws on the events in a space; events that were checked before are skipped. */
export class Judge {
  /** In how many moves and ends each law applied, by its name. */
  readonly witnesses = new Map<string, number>();
  private readonly runs = new Map<object, Map<string, Verdict>>();

  /** Laws that apply to the current event: a list of its own for each event that is judged once. */
  private said: TaskLaw[] = [];

  constructor(
    private readonly space: Space,
    private readonly laws: readonly TaskLaw[],
    private readonly program: KernelProgram,
  ) {}

  /** The first law that an event breaks. */
  event(state: PackedState, next: PackedState | undefined, event: TaskEvent): TaskBreach | undefined {
    const after = next ?? state;
    switch (event.is) {
      case 'crash':
        return this.ask(event, state) ?? exceptionBreach(event);
      case 'call over': {
        const { caller, run, missed, since, by, within } = event;
        const clients = this.space.clientNumbers(after);
        return this.once(
          run,
          `${caller} ${since} ${by} ${within?.kprobe} ${within?.bpfProgActive} ${clients.join()}`,
          () =>
            this.ask(
              { is: 'call over', caller, run, missed, by, within, ...this.around(after, since) },
              after,
            ),
        );
      }
      case 'fetched':
        return this.once(FETCHED, String(event.int3), () => this.ask(event, after));
      case 'runs program':
        return this.once(RAN, `${event.prog} ${event.bodies}`, () => this.ask(event, after));
      case 'call warned':
        return this.warned(event, after);
      case 'work':
        return this.changed(event.step, after) ?? this.warned(event.step, after);
      case 'operation':
        return (
          this.changed(event.step, after) ??
          this.warned(event.step, after, event.client) ??
          this.operation(event.client, event.step, after)
        );
      default:
        return unreachable(event);
    }
  }

  private warned(
    { warnings, ended }: Pick<Stepped, 'warnings'> & Partial<Stepped>,
    state: PackedState,
    client?: number,
  ): TaskBreach | undefined {
    if (warnings.length === 0) return undefined;
    if (client === undefined)
      return this.once(warnings, '', () => this.ask({ is: 'warned', warnings }, state));
    const nth = this.nthOf(state, client, ended);
    return this.once(warnings, `${client} ${nth}`, () => {
      const { answers } = this.space.clientOf(state, client);
      const script = item(this.space.scenario.clients, client);
      const before = script.slice(0, nth).map((action, i) => ({ client, action, answer: answers[i] }));
      return this.ask({ is: 'warned', warnings, action: item(script, nth), before }, state);
    });
  }

  /** The client's operation that a step belongs to. */
  private nthOf(state: PackedState, client: number, ended: Stepped['ended']): number {
    const { answers, frames } = this.space.clientOf(state, client);
    return frames === null && isAnswer(this.space.scenario, ended) ? answers.length - 1 : answers.length;
  }

  /** What a step has written without its lock, and what it has freed. */
  private changed({ unlocked, freed }: Stepped, state: PackedState): TaskBreach | undefined {
    const found =
      unlocked.length > 0 && this.once(unlocked, '', () => this.ask({ is: 'unlocked', unlocked }, state));
    if (found) return found;
    if (freed.length === 0 || !this.space.isInCall(state)) return undefined;
    return this.once(freed, 'in a call', () => {
      for (const object of freed) {
        const breach = this.ask({ is: 'freed', object }, state);
        if (breach !== undefined) return breach;
      }
      return undefined;
    });
  }

  private operation(client: number, step: Stepped, state: PackedState): TaskBreach | undefined {
    const { ended, waits } = step;
    const nth = this.nthOf(state, client, ended);
    const action = item(item(this.space.scenario.clients, client), nth);
    return this.once(step, `${client} ${nth}`, () => {
      if (ended !== undefined)
        return this.ask({ is: 'operation over', done: { client, action, answer: ended } }, state);
      return waits === null
        ? undefined
        : this.ask({ is: 'operation waits', client, action, flavour: waits }, state);
    });
  }

  /** No move is possible: all have finished, or are stuck. */
  final(state: PackedState): TaskBreach | undefined {
    if (!this.space.hasFinished(state)) return this.ask({ is: 'stuck', waits: this.waitsIn(state) }, state);
    return this.ask({ is: 'end', done: this.around(state, this.space.endedSoFar(state)).before }, state);
  }

  /** A state from which not all can finish. */
  trapped({ state, cycle }: LivelockTrap): TaskBreach | undefined {
    return this.ask(
      { is: 'trapped', unfinished: this.unfinished(state), waits: this.waitsIn(state), cycle },
      state,
    );
  }

  /** The shortest cycle of actors that wait for one another; if there is none, all that wait. */
  private waitsIn(state: PackedState): readonly Wait[] {
    const waits = this.waits(state);
    const circle = circleOf(waits);
    const works = this.space.worksOf(state);
    return (circle.length > 0 ? circle : waits).map((wait) => namedWait(works, wait));
  }

  private waits(state: PackedState): Wait[] {
    const { space, program } = this;
    const k = space.kernelOf(state);
    const all = [
      ...space.clientNumbers(state).map((_, i) => ({ who: clientName(i), ...space.clientOf(state, i) })),
      ...space.worksOf(state),
    ];
    return all.flatMap((item) => waitOf(program, k, item.who, item) ?? []);
  }

  /** The unfinished actors: `client#1`, background work by its routine, `task#1`. */
  private unfinished(state: PackedState): string[] {
    const { space } = this;
    const { clients, callers } = space.scenario;
    return [
      ...clients.flatMap((script, i) =>
        space.clientOf(state, i).answers.length < script.length ? [clientName(i)] : [],
      ),
      ...space.worksOf(state).map(nameOfWork),
      ...callers.flatMap((_, i) => (conditionIn(standingIn(state, i)) === OVER ? [] : [taskName(i)])),
    ];
  }

  /** Operations that had ended before a time, and those that have begun since. */
  private around(
    state: PackedState,
    since: EndedCounts,
  ): { before: DoneOperation[]; during: DoneOperation[] } {
    const before: DoneOperation[] = [];
    const during: DoneOperation[] = [];
    this.space.scenario.clients.forEach((script, client) => {
      const ended = countOf(since, client);
      const { answers, frames } = this.space.clientOf(state, client);
      const begun = answers.length + (frames === null ? 0 : 1);
      script.slice(0, begun).forEach((action, i) => {
        (i < ended ? before : during).push({ client, action, answer: answers[i] });
      });
    });
    return { before, during };
  }

  private once(what: object, context: string, find: () => TaskBreach | undefined): TaskBreach | undefined {
    let known = this.runs.get(what);
    if (known === undefined) this.runs.set(what, (known = new Map()));
    const seen = known.get(context);
    if (seen !== undefined) {
      this.count(seen.said);
      return seen.breach;
    }
    this.said = [];
    const breach = find();
    known.set(context, { breach, said: this.said });
    this.said = [];
    return breach;
  }

  private count(laws: readonly TaskLaw[]): void {
    for (const { name } of laws) addTo(this.witnesses, name);
  }

  private ask(happening: Happening, state: PackedState): TaskBreach | undefined {
    const { space, program } = this;
    let kernel: Kernel | undefined;
    const moment = {
      scenario: space.scenario,
      program,
      happening,
      get kernel() {
        kernel ??= space.kernelOf(state);
        return kernel;
      },
      get running() {
        return space.runningOn(state);
      },
    };
    for (const law of this.laws) {
      const judgement = judged(law, moment);
      if (judgement === 'not applicable') continue;
      this.said.push(law);
      this.count([law]);
      if (judgement !== 'held') return { law, finding: judgement };
    }
    return undefined;
  }
}
