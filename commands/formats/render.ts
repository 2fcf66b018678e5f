import type { CheckedRun } from './checked-run.ts';
import { githubText } from './github.ts';
import { junitText } from './junit.ts';
import { sarifText } from './sarif.ts';
import { tapText } from './tap.ts';

/** A format for programs that collect the results of checks. */
export type CheckFormat = 'junit' | 'github' | 'tap' | 'sarif';
export const CHECK_FORMATS: readonly CheckFormat[] = ['junit', 'github', 'tap', 'sarif'];

const RENDERERS: Readonly<Record<CheckFormat, (run: CheckedRun) => string>> = {
  junit: junitText,
  github: githubText,
  tap: tapText,
  sarif: sarifText,
};

export function isCheckFormat(name: string): name is CheckFormat {
  return name in RENDERERS;
}

/** The whole document, with the end of its last line. */
export function checksText(format: CheckFormat, run: CheckedRun): string {
  return RENDERERS[format](run);
}
