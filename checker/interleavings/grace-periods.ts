import type { Flavour } from '../../model/core/part.ts';
import { nothingForbidden } from '../../model/task/current.ts';
import { isWaitedFor } from '../../model/task/grace-period.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Work } from './parts.ts';
import type { Preemption } from './preemption.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { conditionNamed, standingIn, worksIn } from './state.ts';

/** A waiter for a grace period, and the callers that it waits for: a bit set of their numbers. */
type Waiting = Pick<Work, 'holdouts' | 'waits'>;

const NOTHING = nothingForbidden();

/** Which callers each grace period in progress still waits for. */
export class GracePeriods {
  /** For each list of background work, the callers that any of it waits for. */
  private readonly heldBy: number[] = [];

  constructor(
    private readonly scenario: Scenario,
    private readonly tables: SpaceTables,
    private readonly preemption: Preemption,
  ) {}

  /** The callers that a grace period which begins now has to wait for. */
  holdouts(state: PackedState, flavour: Flavour | null): number {
    let all = 0;
    if (flavour === null) return all;
    for (let i = 0; i < this.tables.layout.callers; i++) if (this.holdsUp(state, i, flavour)) all |= 1 << i;
    return all;
  }

  /** Background work begins: it waits for callers in a read section now. Changes the state. */
  start(state: PackedState, spawned: readonly Work[]): void {
    if (spawned.length === 0) return;
    const index = this.tables.layout.worksAt;
    const added = spawned.map((work) => ({ ...work, holdouts: this.holdouts(state, work.waits) }));
    state[index] = this.tables.numberOfWorks([...this.tables.worksOf(state), ...added]);
  }

  private holdsUp(state: PackedState, i: number, flavour: Flavour): boolean {
    return isWaitedFor(flavour, {
      condition: conditionNamed(standingIn(state, i)),
      current: this.tables.callerOf(state, i)?.thread.current ?? NOTHING,
      keepsCpu: flavour === 'rcu_tasks_rude' && this.preemption.keepsCpu(state, i),
      idle: this.scenario.callers[i]?.idle ?? false,
    });
  }

  /** A caller changes its condition: grace periods that need not wait for it any longer do not. Changes the state. */
  settle(state: PackedState, i: number): PackedState {
    this.change(state, 1 << i, (waiting) => this.stillHeld(state, i, waiting));
    return state;
  }

  private stillHeld(state: PackedState, i: number, { holdouts, waits }: Waiting): number {
    if (waits === null || (holdouts & (1 << i)) === 0 || this.holdsUp(state, i, waits)) return holdouts;
    return holdouts & ~(1 << i);
  }

  /** Callers were reordered: grace periods wait for the same ones. Changes the state. */
  rename(state: PackedState, order: readonly number[]): void {
    this.change(state, -1, ({ holdouts }) =>
      order.reduce((all, from, to) => all | (((holdouts >> from) & 1) << to), 0),
    );
  }

  /** Replaces the callers that are waited for by others, where any of `which` is. */
  private change(state: PackedState, which: number, holdoutsOf: (waiting: Waiting) => number): void {
    const { tables } = this;
    const { clientsAt, worksAt } = tables.layout;
    for (let index = clientsAt; index < worksAt; index++) {
      const client = tables.clients.get(state[index]!);
      if ((client.holdouts & which) === 0) continue;
      const holdouts = holdoutsOf(client);
      if (holdouts !== client.holdouts) state[index] = tables.clients.numberOf({ ...client, holdouts });
    }
    if ((this.anyHeld(worksIn(state, tables.layout)) & which) === 0) return;
    const works = tables.worksOf(state);
    if (works.some((work) => holdoutsOf(work) !== work.holdouts))
      state[worksAt] = tables.numberOfWorks(works.map((work) => ({ ...work, holdouts: holdoutsOf(work) })));
  }

  private anyHeld(works: number): number {
    return (this.heldBy[works] ??= this.tables.works
      .get(works)
      .reduce((all, { holdouts }) => all | holdouts, 0));
  }
}
