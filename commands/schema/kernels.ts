import { z } from 'zod';
import { answer, count, maybeText, text, texts } from './parts.ts';

/* Running kernels: `kernel` in its forms. */

const leftOut = z.array(z.strictObject({ why: text, calls: count }));

const difference = z.strictObject({
  calls: texts,
  drawn: count,
  asked: count,
  bounded: z.boolean(),
  step: count,
  aspect: text,
  function: text,
  kernel: texts,
  model: texts,
  warnings: texts,
});

const drawn = {
  profile: text,
  seed: count,
  scope: text,
  near: z.boolean(),
  runs: count,
  from: count,
  next: count,
  histories: count,
  boots: count,
};

export const kernel = answer('kernel', {
  ...drawn,
  kernel: text,
  unasked: count,
  whole: count,
  calls: z.strictObject({ drawn: count, asked: count, leftOut }),
  comparisons: count,
  lostAtEnd: count,
  difference: difference.nullable(),
});

export const kernelSetup = answer('kernel setup', {
  kernels: z.array(z.strictObject({ kernel: text, folder: text, bytes: count, seconds: z.number() })),
});

/** The first place at which a trace differs. */
const placeOfDifference = z.strictObject({
  step: count,
  aspect: text,
  fn: text,
  kernel: texts,
  model: texts,
});

export const kernelTraces = answer('kernel', {
  kernel: text,
  files: z.array(
    z.union([
      z.strictObject({
        path: text,
        asked: z.literal(true),
        calls: count,
        answers: texts,
        difference: placeOfDifference.nullable(),
        warnings: texts,
      }),
      z.strictObject({ path: text, asked: z.literal(false), why: text }),
    ]),
  ),
});

export const kernelKnown = answer('kernel', {
  kernel: text,
  known: z.array(
    z.strictObject({
      name: text,
      is: z.literal(['shown', 'runs on', 'differs', 'not run']),
      why: maybeText,
    }),
  ),
});

export const kernelSchedule = answer('kernel', {
  kernel: text,
  profile: text,
  schedules: z.array(
    z.strictObject({
      path: text,
      is: z.literal(['shown', 'differs', 'not stopped', 'not run', 'runs on']),
      turns: texts,
      why: maybeText,
      answers: texts,
      model: texts,
    }),
  ),
});

export const ownKernel = answer('kernel', {
  ...drawn,
  release: text,
  calls: z.strictObject({ drawn: count, run: count, leftOut }),
  looks: count,
  judged: count,
  unjudgedEnds: count,
  known: z.array(z.strictObject({ name: text, histories: count })),
  differences: z.array(
    z.strictObject({
      history: count,
      step: count,
      action: text,
      fn: text,
      aspect: text,
      kernel: texts,
      model: texts,
      count,
    }),
  ),
  breach: z
    .strictObject({
      law: text,
      calls: texts,
      step: count,
      function: text,
      expected: text,
      observed: text,
      modelAgrees: z.boolean(),
      drawn: count,
      asked: count,
      bounded: z.boolean(),
    })
    .nullable(),
});
