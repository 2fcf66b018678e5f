import { PLANTED_TASK_CALLS } from './calls.ts';
import { PLANTED_HALVES } from './dispatcher.ts';
import { PLANTED_IMAGES } from './images.ts';
import { PLANTED_KPROBE_EVENTS } from './kprobe-events.ts';
import { PLANTED_KPROBES } from './kprobes.ts';
import { PLANTED_TASK_LIFETIMES } from './lifetimes.ts';
import { PLANTED_LOCKS } from './locks.ts';
import type { TaskPlanted } from './planted.ts';
import { PLANTED_RECURSION } from './recursion.ts';
import { PLANTED_SHARING } from './sharing.ts';
import { PLANTED_TEXT } from './text.ts';
import { PLANTED_TRACEPOINTS } from './tracepoints.ts';
import { PLANTED_USERS } from './users.ts';

/** The planted bugs that show when tasks are interleaved. */
export const TASK_PLANTED: readonly TaskPlanted[] = [
  ...PLANTED_TEXT,
  ...PLANTED_KPROBES,
  ...PLANTED_KPROBE_EVENTS,
  ...PLANTED_IMAGES,
  ...PLANTED_TASK_LIFETIMES,
  ...PLANTED_LOCKS,
  ...PLANTED_SHARING,
  ...PLANTED_USERS,
  ...PLANTED_TASK_CALLS,
  ...PLANTED_RECURSION,
  ...PLANTED_TRACEPOINTS,
  ...PLANTED_HALVES,
];
