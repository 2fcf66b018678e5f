import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { CheckSuite, FilePlace, RunCheck } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';

const RULE = {
  name: 'attachcheck/designs-behave-alike',
  sentence: 'One design behaves as the other on every history within the bound that both accept.',
};

/** The check of `refine A B`. */
export function refineSuite(
  designs: readonly string[],
  exit: Exit,
  {
    lines,
    place,
    operations,
  }: {
    readonly lines: readonly string[];
    readonly place: FilePlace | undefined;
    readonly operations: number;
  },
): CheckSuite {
  const check: RunCheck = {
    name: designs.join(' behaves as '),
    rule: RULE,
    outcome: exit === EXIT.BROKEN ? 'failed' : exit === EXIT.HELD ? 'passed' : 'skipped',
    ...(place === undefined ? {} : { place }),
    lines,
  };
  return suiteOf({ name: 'refine', counts: `histories of up to ${counted(operations, 'operation')}` }, [
    check,
  ]);
}
