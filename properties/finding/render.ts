import type { AttachFinding } from './attach-finding.ts';
import type { Said } from './said.ts';
import type { TaskFinding } from './task-finding.ts';

/** What a finding says: asked where a report, JSON or a trace is written, and nowhere else. */
export function rendered(finding: AttachFinding | TaskFinding): Said {
  return finding;
}

/** `expected / observed`. */
export function inOneLine(finding: AttachFinding | TaskFinding): string {
  const { expected, observed } = rendered(finding);
  return `${expected} / ${observed}`;
}
