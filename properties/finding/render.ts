import type { AttachFinding } from './attach-finding.ts';
import { ATTACH_WORDS } from './attach-words.ts';
import type { Said, SaidWords } from './said.ts';
import type { TaskFinding } from './task-finding.ts';
import { TASK_WORDS } from './task-words.ts';

/** All that a law of any kind can find wrong. */
type Finding = Extract<AttachFinding | TaskFinding, { readonly is: string }>;

type Tag = Finding['is'];

type Told<T extends Tag> = { [P in T]: Extract<Finding, { readonly is: P }> & { readonly is: P } }[T];

const WORDS: SaidWords<Finding> = { ...ATTACH_WORDS, ...TASK_WORDS };

/** What a finding says: asked where a report, JSON or a trace is written, and nowhere else. */
export function rendered(finding: AttachFinding | TaskFinding): Said {
  return finding.is === undefined ? finding : say(finding);
}

function say<T extends Tag>(finding: Told<T>): Said {
  return WORDS[finding.is](finding);
}

/** `expected / observed`. */
export function inOneLine(finding: AttachFinding | TaskFinding): string {
  const { expected, observed } = rendered(finding);
  return `${expected} / ${observed}`;
}
