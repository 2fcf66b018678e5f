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
  /** By work that begins: the lists that others become with it, by the callers that hold it up and by their number. */
  private readonly started = new Map<readonly Work[], Map<number, number[]>>();
  /** By client, and by the callers that hold it up instead: its number. */
  private readonly clientsHeld: number[][] = [];
  /** The same by the number of a list of background work, and all of their holdouts. */
  private readonly worksHeld = new Map<string, number>();

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
    let known = this.started.get(spawned);
    if (known === undefined) this.started.set(spawned, (known = new Map()));
    // All holdouts as one number: of a few callers and a few works.
    let held = 0;
    for (const { waits } of spawned)
      held = held * 2 ** this.tables.layout.callers + this.holdouts(state, waits);
    let numbers = known.get(held);
    if (numbers === undefined) known.set(held, (numbers = []));
    state[index] = numbers[state[index]!] ??= this.numberWith(state, spawned);
  }

  /** The number of the background work of a state with some that begins. */
  private numberWith(state: PackedState, spawned: readonly Work[]): number {
    const added = spawned.map((work) => ({ ...work, holdouts: this.holdouts(state, work.waits) }));
    return this.tables.numberOfWorks([...this.tables.worksOf(state), ...added]);
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
    if (this.isHolding(state, i)) this.change(state, 1 << i, (waiting) => this.stillHeld(state, i, waiting));
    return state;
  }

  /** Whether a grace period waits for a caller. */
  private isHolding(state: PackedState, i: number): boolean {
    const { clientsAt, worksAt } = this.tables.layout;
    for (let index = clientsAt; index < worksAt; index++)
      if ((this.tables.clients.get(state[index]!).holdouts & (1 << i)) !== 0) return true;
    return (this.anyHeld(state[worksAt]!) & (1 << i)) !== 0;
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
      const number = state[index]!;
      const client = tables.clients.get(number);
      if ((client.holdouts & which) === 0) continue;
      const holdouts = holdoutsOf(client);
      if (holdouts === client.holdouts) continue;
      state[index] = (this.clientsHeld[number] ??= [])[holdouts] ??= tables.clients.numberOf({
        ...client,
        holdouts,
      });
    }
    const works = worksIn(state, tables.layout);
    if ((this.anyHeld(works) & which) !== 0)
      state[worksAt] = this.worksHeldBy(works, tables.works.get(works).map(holdoutsOf));
  }

  /** The number of a list of background work with other holdouts. */
  private worksHeldBy(number: number, holdouts: readonly number[]): number {
    const works = this.tables.works.get(number);
    if (works.every((work, i) => work.holdouts === holdouts[i])) return number;
    const key = `${number} ${holdouts.join()}`;
    let held = this.worksHeld.get(key);
    if (held === undefined) {
      held = this.tables.numberOfWorks(works.map((work, i) => ({ ...work, holdouts: holdouts[i]! })));
      this.worksHeld.set(key, held);
    }
    return held;
  }

  private anyHeld(works: number): number {
    return (this.heldBy[works] ??= this.tables.works
      .get(works)
      .reduce((all, { holdouts }) => all | holdouts, 0));
  }
}
