import { ATTACH_WORDS } from './attach-words.ts';
import type { Said, SaidWords } from './said.ts';
import type { TaskFinding } from './task-finding.ts';
import { TASK_WORDS } from './task-words.ts';

type Tag = TaskFinding['is'];

type Told<T extends Tag> = { [P in T]: Extract<TaskFinding, { readonly is: P }> }[T];

const WORDS: SaidWords<TaskFinding> = { ...ATTACH_WORDS, ...TASK_WORDS };

/** What a finding says: asked where a report, JSON or a trace is written, and nowhere else. */
export function rendered<T extends Tag>(finding: Told<T>): Said {
  return WORDS[finding.is](finding);
}

/** `expected / observed`. */
export function inOneLine(finding: TaskFinding): string {
  const { expected, observed } = rendered(finding);
  return `${expected} / ${observed}`;
}
