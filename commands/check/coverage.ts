import { UNEXECUTED } from '../../conformance/known/unexecuted-steps.ts';
import { count, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { CoveredStep } from '../../model/core/coverage.ts';
import { coverage, stepName } from '../../model/core/coverage.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import { kernelFile } from '../why/kernel-file.ts';

/** The modelled functions of one of the kernel's files: how many of their steps a run has executed. */
interface FileCoverage {
  readonly file: string;
  readonly executed: number;
  readonly of: number;
  /** `ftrace_startup: put the ops on the list`. */
  readonly missing: readonly string[];
}

/** The coverage of the kernels' functions, file by file; functions that only clients or designs have are left out. */
export function coverageByFile(program: LinkedRoutines): FileCoverage[] {
  const byFile = new Map<string, CoveredStep[]>();
  for (const step of coverage(program)) {
    const file = kernelFile(step.routine);
    if (file === undefined) continue;
    const steps = byFile.get(file);
    if (steps === undefined) byFile.set(file, [step]);
    else steps.push(step);
  }
  return [...byFile].map(([file, steps]) => {
    const missing = steps.filter(({ isExecuted }) => !isExecuted).map(stepName);
    return { file, executed: steps.length - missing.length, of: steps.length, missing };
  });
}

/** `12 of 1,400 steps of kernel functions`; nothing, if all were executed. */
export function coverageTexts(files: readonly FileCoverage[]): string[] {
  const missing = files.flatMap((file) => file.missing).length;
  const of = files.reduce((sum, file) => sum + file.of, 0);
  return missing === 0 ? [] : [`${count(missing)} of ${count(of)} steps of kernel functions`];
}

const FILE = 40;

/** The table for `--verbose`: each file, then each step that was not executed, and where it is or why it cannot be. */
export function coverageTable(files: readonly FileCoverage[]): string[] {
  const why = new Map(UNEXECUTED.map(({ step, why }) => [step, why]));
  return [
    'steps of kernel functions that this run has executed',
    ...files.map(({ file, executed, of }) => `  ${file.padEnd(FILE)} ${count(executed)} of ${count(of)}`),
    ...files.flatMap(({ missing }) =>
      missing.flatMap((step) => [
        `  not executed: ${step}`,
        ...wrap(why.get(step) ?? 'not listed', WIDTH - 4).map((line) => `    ${line}`),
      ]),
    ),
  ];
}
