import type { Worded } from './said.ts';

/** What a law of sequences finds wrong. */
export type AttachFinding = Worded;
