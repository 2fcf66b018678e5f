import { ANSWER_WORDS } from './answer-words.ts';
import type { AttachFinding } from './attach-finding.ts';
import { CALL_WORDS } from './call-words.ts';
import { DESIGN_WORDS } from './design-words.ts';
import { HIT_WORDS } from './hit-words.ts';
import { LOCK_WORDS } from './lock-words.ts';
import type { SaidWords } from './said.ts';
import { STATE_WORDS } from './state-words.ts';
import { TRAMPOLINE_WORDS } from './trampoline-words.ts';
import { WAIT_WORDS } from './wait-words.ts';

/** The words for findings of laws on sequences. */
export const ATTACH_WORDS: SaidWords<AttachFinding> = {
  ...STATE_WORDS,
  ...ANSWER_WORDS,
  ...CALL_WORDS,
  ...TRAMPOLINE_WORDS,
  ...DESIGN_WORDS,
  ...HIT_WORDS,
  ...LOCK_WORDS,
  ...WAIT_WORDS,
};
