import { PLANTED_IMAGES } from './task-images.ts';
import type { TaskPlanted } from './task-planted.ts';
import { PLANTED_TEXT } from './task-text.ts';

/** The board of planted bugs that show when tasks are interleaved. */
export const TASK_PLANTED: readonly TaskPlanted[] = [...PLANTED_TEXT, ...PLANTED_IMAGES];
