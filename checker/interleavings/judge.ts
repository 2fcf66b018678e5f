import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { Current } from '../../model/task/current.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { DoneOperation, TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { clientName, taskName } from './actor-names.ts';
import { namedWait, nameOfWork } from './actors.ts';
import { CheckedLaws, KnownVerdicts } from './checked-laws.ts';
import type { TaskEvent } from './event.ts';
import { exceptionBreach } from './exceptions.ts';
import type { LivelockTrap } from './liveness.ts';
import { isAnswer } from './operation-moves.ts';
import type { Stepped } from './operations.ts';
import type { ClientParts } from './parts.ts';
import type { Space } from './space.ts';
import type { EndedCounts, PackedState } from './state.ts';
import { conditionIn, countOf, OVER, standingIn } from './state.ts';
import { Table } from './table.ts';
import { circleOf, waitOf } from './waits-for.ts';

/** A broken law, and its finding. */
export interface TaskBreach {
  readonly law: TaskLaw;
  readonly finding: TaskFinding;
}

type CallEnds = Extract<TaskEvent, { readonly is: 'call over' }>;

/** Checks laws on the events in a space. */
export class Judge {
  private readonly laws: CheckedLaws;
  /** By what has happened, and by its context. */
  private readonly verdicts = new Map<unknown, Map<string, KnownVerdicts>>();
  /** Of calls that are over, by all that laws see of them but the kernel: equal ones end in many places of operations. */
  private readonly ofCalls = new Map<string, KnownVerdicts>();
  /** What laws see of clients, and for each client by its number that of what they see of it. */
  private readonly stories = new Table<unknown>();
  private readonly storyOf: number[] = [];
  private readonly contexts = new Table<Current | null>();

  constructor(
    private readonly space: Space,
    laws: readonly TaskLaw[],
    private readonly program: KernelProgram,
  ) {
    this.laws = new CheckedLaws(space, laws, program);
  }

  /** In how many moves and ends each law applied, by its name. */
  get witnesses(): Map<string, number> {
    return this.laws.witnesses;
  }

  /** The first law that an event breaks. */
  event(state: PackedState, next: PackedState | undefined, event: TaskEvent): TaskBreach | undefined {
    const after = next ?? state;
    switch (event.is) {
      case 'crash':
        return this.laws.check(event, state) ?? exceptionBreach(event);
      case 'call over':
        return this.call(event, after);
      case 'fetched':
        return this.laws.checkOnce(this.on('fetched', event.int3), event, after);
      case 'runs program':
        return this.laws.checkOnce(this.on(event.prog, event.bodies), event, after);
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

  /** A call that is over; between two steps of operations laws see no difference. */
  private call(event: CallEnds, state: PackedState): TaskBreach | undefined {
    const { caller, run, missed, since, by, within } = event;
    const context = `${caller} ${since} ${by} ${this.contexts.numberOf(within ?? null)} ${this.storiesIn(state)}`;
    const happening = () =>
      ({ is: 'call over', caller, run, missed, by, within, ...this.around(state, since) }) as const;
    const known = this.verdictsOn(run);
    let verdicts = known.get(context);
    if (verdicts === undefined) {
      const key = JSON.stringify(happening());
      verdicts = this.ofCalls.get(key) ?? new KnownVerdicts();
      this.ofCalls.set(key, verdicts);
      known.set(context, verdicts);
    }
    return this.laws.once(verdicts, state, (check) => check(happening()));
  }

  /** The number of what laws see of each client. */
  private storiesIn(state: PackedState): string {
    const { storyOf } = this;
    return this.space
      .clientNumbers(state)
      .map((number) => (storyOf[number] ??= this.storyOfClient(this.space.clients.get(number))))
      .join();
  }

  private storyOfClient({ answers, frames }: ClientParts): number {
    return this.stories.numberOf([answers, frames === null]);
  }

  private warned(
    { warnings, ended }: Pick<Stepped, 'warnings'> & Partial<Stepped>,
    state: PackedState,
    client?: number,
  ): TaskBreach | undefined {
    if (warnings.length === 0) return undefined;
    if (client === undefined)
      return this.laws.checkOnce(this.on(warnings), { is: 'warned', warnings }, state);
    const nth = this.nthOf(state, client, ended);
    return this.laws.once(this.on(warnings, `${client} ${nth}`), state, (check) => {
      const { answers } = this.space.clientOf(state, client);
      const script = item(this.space.scenario.clients, client);
      const before = script.slice(0, nth).map((action, i) => ({ client, action, answer: answers[i] }));
      return check({ is: 'warned', warnings, action: item(script, nth), before });
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
      unlocked.length > 0 && this.laws.checkOnce(this.on(unlocked), { is: 'unlocked', unlocked }, state);
    if (found) return found;
    if (freed.length === 0 || !this.space.isInCall(state)) return undefined;
    return this.laws.once(this.on(freed), state, (check) => {
      for (const object of freed) {
        const breach = check({ is: 'freed', object });
        if (breach !== undefined) return breach;
      }
      return undefined;
    });
  }

  private operation(client: number, step: Stepped, state: PackedState): TaskBreach | undefined {
    const { ended, waits } = step;
    if (ended === undefined && waits === null) return undefined;
    const nth = this.nthOf(state, client, ended);
    const action = item(item(this.space.scenario.clients, client), nth);
    return this.laws.checkOnce(
      this.on(step, `${client} ${nth}`),
      waits === null || ended !== undefined
        ? { is: 'operation over', done: { client, action, answer: ended } }
        : { is: 'operation waits', client, action, flavour: waits },
      state,
    );
  }

  /** No move is possible: all have finished, or are stuck. */
  final(state: PackedState): TaskBreach | undefined {
    if (!this.space.hasFinished(state))
      return this.laws.check({ is: 'stuck', waits: this.waitsIn(state) }, state);
    return this.laws.check(
      { is: 'end', done: this.around(state, this.space.endedSoFar(state)).before },
      state,
    );
  }

  /** A state from which not all can finish. */
  trapped({ state, cycle }: LivelockTrap): TaskBreach | undefined {
    return this.laws.check(
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

  /** The verdicts on what has happened, in a context. */
  private on(what: unknown, context: unknown = ''): KnownVerdicts {
    const known = this.verdictsOn(what);
    const key = String(context);
    let verdicts = known.get(key);
    if (verdicts === undefined) known.set(key, (verdicts = new KnownVerdicts()));
    return verdicts;
  }

  private verdictsOn(what: unknown): Map<string, KnownVerdicts> {
    let known = this.verdicts.get(what);
    if (known === undefined) this.verdicts.set(what, (known = new Map()));
    return known;
  }
}
