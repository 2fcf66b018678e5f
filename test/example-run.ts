import type { CheckedRun } from '../commands/formats/checked-run.ts';
import type { CheckSuite } from '../counterexamples/run-check.ts';

/** For tests: a run with a check of each outcome, in which every text has what a format must escape. */
export const EXAMPLE_RUN: CheckedRun = exampleRun([
  {
    name: 'sequences',
    facts: { seed: '1', kernels: '6.12, 7.2', bound: '400 drawn, <10,702> actions' },
    checks: [
      { name: 'held', rule: ruleNamed('ftrace/held'), outcome: 'passed' },
      {
        name: 'broken: a, "b" & <c> # 100 %',
        rule: ruleNamed('ftrace/broken'),
        outcome: 'failed',
        place: { file: 'a folder/found,1.trace', line: 9 },
        lines: ['✗ ftrace/broken  ]]> -- \u001b[31m', '', '  expected   100 %\r', '\tobserved   \ud800 half'],
        cause: 'register_kprobe, call',
      },
      {
        name: 'broken as listed',
        rule: ruleNamed('ftrace/broken'),
        outcome: 'known',
        lines: ['kprobe-is-dead: it is registered, and never fires'],
      },
      { name: 'vacuous', rule: ruleNamed('ftrace/vacuous'), outcome: 'skipped', lines: ['never exercised'] },
    ],
  },
  {
    name: 'recordings',
    facts: {},
    checks: [
      {
        name: 'a.jsonl:3',
        rule: ruleNamed('recordings/agree'),
        outcome: 'error',
        place: { file: 'a.jsonl', line: 3 },
        lines: ['this line is not JSON'],
      },
    ],
  },
]);

/** For tests: a run in which nothing was checked. */
export const EMPTY_RUN: CheckedRun = { ...exampleRun([]), exit: 4, signal: 'SIGINT' };

function exampleRun(suites: readonly CheckSuite[]): CheckedRun {
  return {
    suites,
    exit: 1,
    signal: undefined,
    command: "attachcheck --kernel '6.12, a < b'",
    version: '0.1.0',
  };
}

function ruleNamed(name: string) {
  return { name, sentence: 'Each call is seen once. No other is; see §2.' };
}
