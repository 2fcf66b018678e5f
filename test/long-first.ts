import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The longest test files: a run that begins with them does not wait for the last of them alone. */
export const LONG: readonly string[] = [
  'test/process.test.ts',
  'test/shown.test.ts',
  'conformance/known/attach-known.test.ts',
  'counterexamples/interleavings/corpus.test.ts',
  'properties/planted/sequences/planted.test.ts',
  'examples/property/property.spec.ts',
  'counterexamples/sequences/minimal.test.ts',
  'test/adding-a-design.test.ts',
  'commands/soak/soak.test.ts',
  'commands/explore/explore.test.ts',
  'conformance/known/designs/function-graph.test.ts',
  'test/examples.test.ts',
  'conformance/known/task-breaches.test.ts',
  'conformance/known/attach-mutants.test.ts',
  'commands/explore/killed.test.ts',
  'commands/shard/shard.test.ts',
  'conformance/hardware/hardware.test.ts',
  'conformance/known/task-planted.test.ts',
  'properties/planted/interleavings/planted.test.ts',
  'checker/images/exhaustive.test.ts',
  'test/faults-in-the-source.test.ts',
  'commands/compare/compare.test.ts',
  'commands/bugs/bugs.test.ts',
  'test/pasted.test.ts',
  'test/unplanned/unplanned.test.ts',
  'test/frozen.test.ts',
  'test/wording.test.ts',
  'checker/interleavings/random/shrink-schedule.test.ts',
  'checker/interleavings/schedule.test.ts',
  'test/mutants/x86/reference.test.ts',
  'checker/interleavings/interrupts.test.ts',
  'properties/planted/interleavings/exam.test.ts',
  'kernels/history/drawn.test.ts',
  'test/mutants/judge.test.ts',
  'checker/cost/list-cost.test.ts',
  'commands/matrix/matrix.test.ts',
  'commands/explore/random.test.ts',
  'commands/refine/refine.test.ts',
  'test/tutorial.test.ts',
  'conformance/known/attach-judged.test.ts',
];

/** The order in which files are handed to workers. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
