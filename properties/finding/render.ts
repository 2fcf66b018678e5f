import type { AbiFinding } from './abi-finding.ts';
import { ABI_WORDS } from './abi-words.ts';
import { ATTACH_WORDS } from './attach-words.ts';
import type { ImageFinding } from './image-finding.ts';
import { IMAGE_WORDS } from './image-words.ts';
import type { Said, SaidWords } from './said.ts';
import { saidOf } from './said.ts';
import type { StubFinding } from './stub-finding.ts';
import { STUB_WORDS } from './stub-words.ts';
import type { TaskFinding } from './task-finding.ts';
import { TASK_WORDS } from './task-words.ts';

/** The findings of all kinds of laws. */
export type Finding = TaskFinding | ImageFinding | AbiFinding | StubFinding;

const WORDS: SaidWords<Finding> = {
  ...ATTACH_WORDS,
  ...TASK_WORDS,
  ...IMAGE_WORDS,
  ...ABI_WORDS,
  ...STUB_WORDS,
};

/** A finding in words: only where a report, JSON or a trace is written. */
export function rendered(finding: Finding): Said {
  return saidOf(WORDS, finding);
}

/** `expected / observed`. */
export function inOneLine(finding: Finding): string {
  const { expected, observed } = rendered(finding);
  return `${expected} / ${observed}`;
}
