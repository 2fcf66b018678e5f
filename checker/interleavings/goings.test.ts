import { expect, test } from 'vitest';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { present } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { allAtOnce } from '../../model/text/cpu.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { CallSteps } from './calls.ts';
import { pairs, withSleepers } from './family.ts';
import { interrupted } from './family-interrupted.ts';
import { Goings } from './goings.ts';
import { OperationSteps } from './operations.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { callerIn, conditionIn, cpuIn, RUNNING, standingIn, worldIn } from './state.ts';

/*
 * Callers that differ only in what they have recorded share their segments. Here each segment is compared with one that
 * is executed for its caller alone.
 */

/** Counts the segments that are executed. */
class CountedSteps extends CallSteps {
  executed = 0;

  override goOn(...of: Parameters<CallSteps['goOn']>): ReturnType<CallSteps['goOn']> {
    this.executed++;
    return super.goOn(...of);
  }
}

/** The segments of a scenario: those that callers share, and for each caller its own. */
class Trial {
  private readonly space: Space;
  private readonly shared: Goings;
  private readonly alone: Goings[] = [];
  /** Segments that were executed: for all callers, and for each one. */
  readonly sharedSteps: CountedSteps;
  readonly ownSteps: CountedSteps;
  /** Callers and worlds that were compared. */
  private readonly compared = new Set<string>();
  readsEvents = false;

  constructor(scenario: Scenario, program: KernelProgram) {
    this.space = new Space(scenario, { program });
    this.sharedSteps = this.steps();
    this.ownSteps = this.steps();
    this.shared = this.goings(this.sharedSteps);
  }

  private steps(): CountedSteps {
    const { program, grain, parts, runner } = this.space;
    return new CountedSteps(runner, new OperationSteps(program, grain, parts), parts);
  }

  private goings(steps: CallSteps): Goings {
    return new Goings(this.space, this.space.runner, steps);
  }

  /** Compares the segments of all callers in the states of some random schedules. */
  run(schedules: number): void {
    let number = 1;
    for (let i = 0; i < schedules; i++)
      for (let state: PackedState | undefined = this.space.initial(); state !== undefined; ) {
        this.compareAll(state);
        const found: PackedState[] = [];
        this.space.visit(state, (_, next) => {
          if (next !== undefined) found.push(next);
        });
        number = (Math.imul(number, 1_103_515_245) + 12_345) >>> 0;
        state = found[(number >>> 16) % Math.max(found.length, 1)];
      }
  }

  private compareAll(state: PackedState): void {
    for (let i = 0; i < this.space.layout.callers; i++)
      if (conditionIn(standingIn(state, i)) === RUNNING) this.compare(state, i);
  }

  private compare(state: PackedState, i: number): void {
    const place = [worldIn(state), callerIn(state, i), cpuIn(standingIn(state, i))] as const;
    if (this.compared.has(place.join())) return;
    this.compared.add(place.join());
    const own = (this.alone[callerIn(state, i)] ??= this.goings(this.ownSteps));
    expect(this.spelled(this.shared, place)).toEqual(this.spelled(own, place));
  }

  private spelled(goings: Goings, [world, caller, cpu]: readonly [number, number, number]): unknown {
    return goings.in(world, caller, cpu).map(({ world: to, result }) => {
      const { readsEvents, spawned, warnings, choices, is } = result.stretch;
      this.readsEvents ||= readsEvents;
      return { is, to, spawned, warnings, choices, after: goings.after(result, caller) };
    });
  }
}

function compared(scenario: Scenario, program: KernelProgram = KERNEL_PROGRAM): Trial {
  const trial = new Trial(scenario, program);
  trial.run(100);
  return trial;
}

/** Interrupts make calls that have recorded this and that, and continue alike. */
function scenarioOf(profile: string, name: string): Scenario {
  const kernel = withSleepers(profile);
  const all = [...pairs(kernel, 2, 1), ...interrupted(kernel, 2)];
  return present(all.find((item) => item.name === name)?.scenario, name);
}

const TRACING = 'attach off f1 in an interrupted call';
const PROBED = 'fprobe off f1 in an interrupted call';

test.each([
  ['6.1', 'kretprobe off f1 in an interrupted call'],
  ['6.1', TRACING],
  ['6.12', 'kprobe off f1 in an interrupted call'],
  ['6.12', PROBED],
  ['6.12', TRACING],
  ['7.2', PROBED],
  ['7.2', 'graph off f1 in an interrupted call'],
])('in %s a segment that callers share is that of each of them: %s', (profile, name) => {
  const { sharedSteps, ownSteps, readsEvents } = compared(scenarioOf(profile, name));
  expect(sharedSteps.executed).toBeLessThan(ownSteps.executed);
  expect(readsEvents).toBe(false);
});

test('the same with a planted bug', () => {
  const edits = [edit('__bpf_tramp_image_put', 'wait for rcu_tasks', dropped)];
  const { sharedSteps, ownSteps } = compared(scenarioOf('6.12', TRACING), plantedKernel({ edits }));
  expect(sharedSteps.executed).toBeLessThan(ownSteps.executed);
});

test('a function in C that reads the events of its call runs for each caller', () => {
  const { body_hook: _, ...others } = KERNEL_PROGRAM.cFunctions;
  const counting = allAtOnce({
    body_hook: (_k: unknown, { events }) => {
      const entries = events.filter(({ kind }) => kind === 'fprobe entry').length;
      events.push({ kind: 'body', who: `after ${entries}`, fn: 'f1' });
    },
  });
  const program = { ...KERNEL_PROGRAM, cFunctions: { ...others, ...counting } };
  expect(compared(scenarioOf('6.12', PROBED), program).readsEvents).toBe(true);
});
