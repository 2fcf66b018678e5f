import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The longest test files: a run that begins with them does not wait for the last of them alone. */
export const LONG: readonly string[] = [
  'test/shown.test.ts',
  'properties/planted/sequences/planted.test.ts',
  'test/wording.test.ts',
  'test/process.test.ts',
  'commands/refine/refine.test.ts',
  'test/unions.test.ts',
  'test/adding-a-profile.test.ts',
  'conformance/known/task-planted.test.ts',
  'test/adding-a-design.test.ts',
  'commands/explore/explore.test.ts',
  'checker/interleavings/reductions.test.ts',
  'test/examples.test.ts',
  'test/faults-in-the-source.test.ts',
  'counterexamples/interleavings/corpus.test.ts',
  'test/adding-a-call.test.ts',
  'test/unassigned-locals.test.ts',
  'checker/interleavings/random/search-schedules.test.ts',
  'properties/planted/images/planted.test.ts',
  'commands/replay/replay.test.ts',
  'commands/explore/random.test.ts',
  'conformance/known/attach-known.test.ts',
  'conformance/hardware/hardware.test.ts',
  'commands/matrix/matrix.test.ts',
  'checker/interleavings/random/shrink-schedule.test.ts',
  'conformance/known/designs/function-graph.test.ts',
  'conformance/known/task-breaches.test.ts',
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
