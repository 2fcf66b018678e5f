import { expect, test } from 'vitest';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { present } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { withSleepers } from './family.ts';
import { onCgroups } from './family-cgroups.ts';
import { OperationMoves } from './operation-moves.ts';
import { OperationSteps } from './operations.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';

/** Counts the steps that are executed. */
class CountedSteps extends OperationSteps {
  executed = 0;

  override goOn(...of: Parameters<OperationSteps['goOn']>): ReturnType<OperationSteps['goOn']> {
    this.executed++;
    return super.goOn(...of);
  }
}

/** Moves of background work: those that lists of it share, and for each list its own. */
class Trial {
  private readonly space: Space;
  readonly sharedSteps: CountedSteps;
  readonly ownSteps: CountedSteps;
  private readonly shared: OperationMoves;
  private readonly own = new Map<number, OperationMoves>();

  constructor(scenario: Scenario, program: KernelProgram) {
    this.space = new Space(scenario, { program });
    const { grain, parts } = this.space;
    this.sharedSteps = new CountedSteps(program, grain, parts);
    this.ownSteps = new CountedSteps(program, grain, parts);
    this.shared = this.moves(this.sharedSteps);
  }

  private moves(steps: OperationSteps): OperationMoves {
    return new OperationMoves(this.space.scenario, this.space, steps, this.space.grace);
  }

  /** Compares the moves of all background work in the states of some random schedules. */
  run(schedules: number): void {
    let number = 1;
    for (let i = 0; i < schedules; i++)
      for (let state: PackedState | undefined = this.space.initial(); state !== undefined; ) {
        this.compare(state);
        const found: PackedState[] = [];
        this.space.visit(state, (_, next) => {
          if (next !== undefined) found.push(next);
        });
        number = (Math.imul(number, 1_103_515_245) + 12_345) >>> 0;
        state = found[(number >>> 16) % Math.max(found.length, 1)];
      }
  }

  private compare(state: PackedState): void {
    const list = state[this.space.layout.worksAt]!;
    let own = this.own.get(list);
    if (own === undefined) this.own.set(list, (own = this.moves(this.ownSteps)));
    expect(emitted(this.shared, state)).toEqual(emitted(own, state));
  }
}

function emitted(moves: OperationMoves, state: PackedState): unknown {
  const all: unknown[] = [];
  moves.visitWorks(state, (...move) => {
    all.push(move);
  });
  return all;
}

const SCENARIO = 'detach from a cgroup f1, detach from a cgroup f1';

function compared(profile: string, program = KERNEL_PROGRAM): Trial {
  const found = onCgroups(withSleepers(profile), 2).find(({ name }) => name === SCENARIO);
  const trial = new Trial(present(found, SCENARIO).scenario, program);
  trial.run(40);
  return trial;
}

test.each(['6.1', '6.12', '7.2'])('in %s background work makes the same step beside any other', (profile) => {
  const { sharedSteps, ownSteps } = compared(profile);
  expect(sharedSteps.executed).toBeLessThan(ownSteps.executed);
});

test('the same with a planted bug', () => {
  const edits = [edit('__bpf_tramp_image_put', 'wait for rcu_tasks', dropped)];
  const { sharedSteps, ownSteps } = compared('6.12', plantedKernel({ edits }));
  expect(sharedSteps.executed).toBeLessThan(ownSteps.executed);
});
