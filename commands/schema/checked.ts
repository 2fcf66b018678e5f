import { z } from 'zod';
import { refine } from './compared.ts';
import {
  answer,
  combination,
  count,
  counts,
  digits,
  found,
  maybeText,
  text,
  texts,
  unasked,
} from './parts.ts';

/* Searches and the default run. */

/** An image that breaks a law. */
export const foundImage = z.strictObject({
  law: text,
  planted: maybeText,
  case: combination,
  answers: texts,
  path: maybeText,
  report: text,
});

export const imageSearch = answer('search', {
  seed: count,
  planted: maybeText,
  cases: count,
  images: count,
  paths: digits,
  laws: z.array(z.strictObject({ name: text, sentence: text, images: count })),
  refusals: counts,
  known: counts,
  unfinished: maybeText,
  counterexample: foundImage.nullable(),
});

const searchedKernel = z.strictObject({
  kernel: text,
  sequences: count,
  actions: count,
  died: count,
  known: counts,
  sites: counts.nullable(),
});

export const sequenceSearch = answer('search', {
  seed: count,
  planted: maybeText,
  near: maybeText,
  kernels: z.array(searchedKernel),
  laws: z.array(z.strictObject({ name: text, sentence: text, sequences: count, behindKnown: z.boolean() })),
  unasked,
  counterexample: found.nullable(),
});

/** A search that met what is not modelled. */
export const unmodelled = answer('search', { error: text, sequence: text });

const refusedOperation = z.strictObject({ client: count, call: text, answers: texts });

const end = z.literal(['complete', 'breach', 'depth', 'states', 'preemptions', 'stopped', 'refused']);

const size = { cpus: count, states: count, transitions: count, depth: count, end };

export const exploration = answer('explore', {
  planted: maybeText,
  preemptions: count.nullable(),
  scenarios: z.array(
    z.strictObject({
      name: text,
      kernel: text,
      ...size,
      refused: z.array(refusedOperation),
      vacuous: z.boolean(),
      known: texts,
    }),
  ),
  laws: z.array(z.strictObject({ name: text, sentence: text, moves: count })),
  unasked,
  miscounted: z.array(z.strictObject({ known: text, pinned: count, seen: count, scenario: text })),
  counterexample: found.nullable(),
});

export const scenario = answer('explore', {
  file: text,
  planted: maybeText,
  preemptions: count.nullable(),
  scenarios: z.array(
    z.strictObject({
      kernel: text,
      ...size,
      verdict: z.literal([
        'held',
        'known',
        'broken',
        'vacuous',
        'not applicable',
        'stopped',
        'out of states',
        'not found',
      ]),
      known: texts,
      refused: z.array(refusedOperation),
      laws: z.array(
        z.strictObject({ name: text, is: z.literal(['held', 'broken', 'not applicable']), moves: count }),
      ),
    }),
  ),
  counterexample: found.nullable(),
});

export const random = answer('random', {
  planted: maybeText,
  near: maybeText,
  seed: count,
  schedules: count,
  kernels: z.array(
    z.strictObject({
      kernel: text,
      scenarios: count,
      walks: count,
      moves: count,
      operations: count,
      calls: count,
      atomic: count,
      known: texts,
    }),
  ),
  laws: z.array(z.strictObject({ name: text, sentence: text, moves: count })),
  unasked,
  counterexample: found.nullable(),
});

export const exhaust = answer('exhaust', {
  kernels: z.array(
    z.strictObject({
      kernel: text,
      calls: texts,
      faults: z.boolean(),
      bound: z.strictObject({ depth: count, states: count }),
      states: count,
      moves: count,
      depth: count,
      end: z.literal(['found', 'depth', 'states', 'no state is new', 'stopped']),
      laws: z.array(z.strictObject({ name: text, moves: count })),
      known: z.array(z.strictObject({ name: text, moves: count })),
    }),
  ),
  counterexample: found.nullable(),
});

/** Totals or a group of recorded images. */
export const imageTotals = z.strictObject({
  name: text,
  agreeing: count,
  decided: count,
  identical: count,
  images: count,
  reproduced: count,
  holding: count,
  known: count,
  broken: count,
  paths: digits,
});

/** The same of recorded sequences. */
export const sequenceTotals = z.strictObject({
  name: text,
  sequences: count,
  agreeing: count,
  steps: count,
  calls: count,
  events: count,
  how: counts,
  warned: z.strictObject({ kernel: count, both: count, model: count }),
  crashes: z.strictObject({ kernel: count, both: count }),
});

/** The default run; a section that was not run is absent, one that a signal left out is `null`. */
export const check = answer('check', {
  recordings: imageTotals.nullish(),
  recordedSequences: sequenceTotals.nullish(),
  corpus: z.array(z.strictObject({ path: maybeText, result: text })).nullish(),
  known: z.array(z.strictObject({ name: text, law: text, confirmed: z.boolean() })).nullish(),
  search: imageSearch.nullish(),
  sequences: z.union([sequenceSearch, unmodelled]).nullish(),
  exploration: exploration.nullish(),
  refine: refine.nullish(),
  steps: z.array(z.strictObject({ file: text, executed: count, of: count, missing: texts })).optional(),
  worth: z.strictObject({ found: count, of: count, others: count }).optional(),
  compared: z
    .array(
      z.strictObject({
        kernel: text,
        release: text,
        date: text,
        histories: count,
        comparisons: count,
        differences: count,
      }),
    )
    .optional(),
  problems: texts,
  open: texts,
});
