import { PLANTED_TASK_CALLS } from './task-calls.ts';
import { PLANTED_IMAGES } from './task-images.ts';
import { PLANTED_TASK_LIFETIMES } from './task-lifetimes.ts';
import { PLANTED_LOCKS } from './task-locks.ts';
import type { TaskPlanted } from './task-planted.ts';
import { PLANTED_SHARING } from './task-sharing.ts';
import { PLANTED_TEXT } from './task-text.ts';
import { PLANTED_TRACEPOINTS } from './task-tracepoints.ts';

/** The board of planted bugs that show when tasks are interleaved. */
export const TASK_PLANTED: readonly TaskPlanted[] = [
  ...PLANTED_TEXT,
  ...PLANTED_IMAGES,
  ...PLANTED_TASK_LIFETIMES,
  ...PLANTED_LOCKS,
  ...PLANTED_SHARING,
  ...PLANTED_TASK_CALLS,
  ...PLANTED_TRACEPOINTS,
];
