import type { AttachPlanted } from './attach-planted.ts';

/** The board of planted bugs in the kernel's routines. */
export const ATTACH_PLANTED: readonly AttachPlanted[] = [];
