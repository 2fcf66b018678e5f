import { isSamePlace } from '../../conformance/sequences/entry.ts';
import { isSameDeadEntry } from './dead-ftrace.ts';

/** Whether a kernel and the model say the same. */
export type SameLines = (kernel: readonly string[], model: readonly string[]) => boolean;

/** The first line decides; what follows it explains. */
export const isSameFirst: SameLines = ([kernel], [model]) => kernel === model;

export const isSamePlaces: SameLines = ([kernel = ''], [model = '']) => isSamePlace(kernel, model);

export const isSameDeadPlaces: SameLines = ([kernel = ''], [model = '']) => isSameDeadEntry(kernel, model);
