import type { CheckFormat } from './check-format.ts';
import type { CheckedRun } from './checked-run.ts';
import { githubText } from './github.ts';
import { junitText } from './junit.ts';
import { sarifText } from './sarif.ts';
import { tapText } from './tap.ts';

const RENDERERS: Readonly<Record<CheckFormat, (run: CheckedRun) => string>> = {
  junit: junitText,
  github: githubText,
  tap: tapText,
  sarif: sarifText,
};

/** The whole document, with the end of its last line. */
export function checksText(format: CheckFormat, run: CheckedRun): string {
  return RENDERERS[format](run);
}
