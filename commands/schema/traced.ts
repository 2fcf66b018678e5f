import { z } from 'zod';
import { answer, byKernel, count, maybeText, text, texts } from './parts.ts';

/* Traces, questions about them, and lists. */

/** A command line that cannot be run, or a checker that failed: `command` is absent. */
export const error = z.strictObject({ exit: z.literal([2, 3]), error: text });

const elsewhere = z.strictObject({
  profile: text,
  is: z.literal(['broken', 'held', 'not applicable', 'not checked']),
  lacks: maybeText,
});

export const judge = answer('judge', {
  file: text,
  planted: maybeText,
  lacking: z.array(z.strictObject({ profile: text, call: text })),
  kernels: z.array(
    z.strictObject({
      kernel: text,
      diverged: maybeText,
      steps: z.array(z.strictObject({ action: text, answer: text })),
      broken: z.array(
        z.strictObject({
          law: text,
          step: count,
          expected: text,
          observed: text,
          known: maybeText,
          behind: z.strictObject({ known: text, step: count }).nullable(),
          elsewhere: z.array(elsewhere),
        }),
      ),
      held: texts,
      idle: z.array(
        z.strictObject({ step: count, why: z.literal(['no client does that', 'nothing failed']) }),
      ),
    }),
  ),
});

export const replay = answer('replay', {
  files: z.array(
    z.strictObject({
      path: text,
      result: z.literal(['same', 'report changed', 'holds', 'diverged', 'damaged', 'judged']),
      report: maybeText,
      why: maybeText,
    }),
  ),
});

export const explain = answer('explain', {
  file: text,
  kernels: z.array(
    z.strictObject({
      kernel: text,
      diverged: maybeText,
      steps: z.array(z.strictObject({ number: count, lines: texts })),
    }),
  ),
});

export const why = answer('why', {
  kernels: z.array(
    z.strictObject({
      kernel: text,
      step: count,
      call: text,
      errno: text,
      site: maybeText,
      place: maybeText,
      passedOn: texts,
      read: texts,
      ordered: z.boolean(),
      undo: texts.nullable(),
      tried: count,
      undoMost: count,
      whole: z.boolean(),
      first: maybeText,
      otherCalls: z.array(z.strictObject({ parameter: text, call: text })),
    }),
  ),
  others: z.array(z.strictObject({ kernel: text, why: text })),
});

export const whyErrno = answer('why errno', {
  errno: text,
  number: count,
  text,
  sites: z.array(
    z.strictObject({
      site: text,
      guard: text,
      found: maybeText,
      place: maybeText,
      kernels: byKernel,
      never: maybeText,
    }),
  ),
});

export const whyHere = answer('why here', {
  function: text,
  module: maybeText,
  release: text,
  kernel: text,
  line: maybeText,
  holders: z.array(z.strictObject({ holder: text, detach: maybeText })),
  notes: texts,
  calls: texts,
  clients: z.array(
    z.strictObject({
      client: text,
      call: maybeText,
      errno: maybeText,
      site: maybeText,
      place: maybeText,
      passedOn: texts,
      read: texts,
      outside: maybeText,
      detach: texts.nullable(),
    }),
  ),
});

const named = { name: text, sentence: text };

export const list = answer('list', {
  laws: z.array(z.strictObject(named)),
  planted: z.array(z.strictObject({ ...named, law: text })),
  designs: z.array(z.strictObject({ ...named, source: text })),
  kernels: z.array(z.strictObject({ ...named, boots: texts })),
  behaviours: z.array(
    z.strictObject({
      ...named,
      values: byKernel,
      meanings: z.array(z.strictObject({ value: text, sentence: maybeText })),
    }),
  ),
});

export const newDesign = answer('new', { name: text, files: texts, next: texts });

export const completion = answer('completion', { shell: text, script: text });

export const bundle = answer('bundle', {
  name: text,
  folder: text,
  files: texts,
  ran: z
    .strictObject({
      release: text,
      end: z.literal(['continues', 'crashes', 'hangs']),
      shown: z.boolean(),
      console: texts,
    })
    .nullable(),
});
