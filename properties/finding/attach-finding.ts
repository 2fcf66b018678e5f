import type { Disagreement } from '../../model/trampoline/designs/disagreement.ts';
import type { AnswerFinding } from './answer-finding.ts';
import type { CallFinding } from './call-finding.ts';
import type { HitFinding } from './hit-finding.ts';
import type { LockFinding } from './lock-finding.ts';
import type { StateFinding } from './state-finding.ts';
import type { TrampolineFinding } from './trampoline-finding.ts';
import type { WaitFinding } from './wait-finding.ts';

/** A breach of a law on sequences: plain data, distinguished by its tag. */
export type AttachFinding =
  | StateFinding
  | AnswerFinding
  | CallFinding
  | TrampolineFinding
  | HitFinding
  | LockFinding
  | WaitFinding
  | Disagreement;

export type AttachTag = AttachFinding['is'];

/** The findings of a tag. */
export type AttachFindingOf<T extends AttachTag> = Extract<AttachFinding, { readonly is: T }>;
