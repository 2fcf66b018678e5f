import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** The longest test files: a run that begins with them does not wait for the last of them alone. */
export const LONG: readonly string[] = [
  'test/shown.test.ts',
  'test/installed.test.ts',
  'test/process.test.ts',
  'commands/shard/explored.test.ts',
  'commands/shard/shard.test.ts',
  'counterexamples/sequences/minimal.test.ts',
  'commands/page/in-browser.test.ts',
  'commands/explore/killed.test.ts',
  'test/mutants/judge.test.ts',
  'properties/planted/sequences/planted.test.ts',
  'test/tutorial.test.ts',
  'test/examples.test.ts',
  'test/adding-a-call.test.ts',
  'conformance/known/attach-mutants.test.ts',
  'test/faults-in-the-source.test.ts',
  'conformance/hardware/hardware.test.ts',
  'checker/interleavings/cores/shared-chunks.test.ts',
  'commands/compare/design-pool.test.ts',
  'commands/explore/explore.test.ts',
  'conformance/known/attach-known.test.ts',
  'test/adding-a-design.test.ts',
  'test/unplanned/unplanned.test.ts',
  'test/tidy.test.ts',
  'test/style.test.ts',
  'test/wording.test.ts',
  'model/x86/engine-module.test.ts',
  'test/adding-a-law.test.ts',
  'commands/program/start.test.ts',
  'commands/bugs/bugs.test.ts',
  'kernels/history/drawn.test.ts',
  'commands/soak/soak.test.ts',
  'commands/compare/compare.test.ts',
  'conformance/compiler/compiler.test.ts',
  'commands/designs/designs.test.ts',
  'commands/refine/refine.test.ts',
  'test/mutants/x86/reference.test.ts',
  'counterexamples/interleavings/corpus.test.ts',
  'commands/timeline/timeline.test.ts',
  'conformance/images/engines.test.ts',
  'test/untested.test.ts',
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
