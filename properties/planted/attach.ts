import { PLANTED_ANSWERS } from './attach-answers.ts';
import { PLANTED_CALLS } from './attach-calls.ts';
import { PLANTED_DESIGNS } from './attach-designs.ts';
import { PLANTED_EXTENSIONS } from './attach-extensions.ts';
import { PLANTED_LIFETIMES } from './attach-lifetimes.ts';
import { PLANTED_MODULES } from './attach-modules.ts';
import type { AttachPlanted } from './attach-planted.ts';
import { PLANTED_RECORDS } from './attach-records.ts';
import { PLANTED_RETURNS } from './attach-returns.ts';
import { PLANTED_HITS } from './attach-tracepoints.ts';

/** The board of planted bugs in the kernel's routines. */
export const ATTACH_PLANTED: readonly AttachPlanted[] = [
  ...PLANTED_RECORDS,
  ...PLANTED_LIFETIMES,
  ...PLANTED_EXTENSIONS,
  ...PLANTED_MODULES,
  ...PLANTED_CALLS,
  ...PLANTED_RETURNS,
  ...PLANTED_ANSWERS,
  ...PLANTED_DESIGNS,
  ...PLANTED_HITS,
];
