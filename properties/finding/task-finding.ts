import type { AttachFinding } from './attach-finding.ts';
import type { Worded } from './said.ts';

/** What a law of interleavings finds wrong; those of sequences are asked there as well, when everybody has finished. */
export type TaskFinding = AttachFinding | Worded;
