import { z } from 'zod';
import { answer, byKernel, calls, count, maybeCount, maybeText, text, texts } from './parts.ts';

/* Designs and mechanisms side by side. */

export const refine = answer('refine', {
  kernel: text,
  against: text,
  grounds: z.array(
    z.strictObject({
      functions: texts,
      operations: count,
      compared: z.strictObject({ histories: text, operations: count, pairs: count }),
      length: count,
      refused: z.array(texts),
    }),
  ),
  differences: z.array(z.strictObject({ reason: text, history: text })),
  counterexample: z.strictObject({ path: maybeText, report: text }).nullable(),
});

export const lattice = answer('refine all', {
  operations: count,
  played: count,
  classes: z.array(texts),
  pairs: z.array(
    z.strictObject({
      design: text,
      against: text,
      behavesAs: z.boolean(),
      acrossKernels: z.boolean(),
      why: maybeText,
    }),
  ),
});

const cell = z.strictObject({
  first: text,
  second: text,
  verdict: text,
  refused: z.strictObject({ do: text, who: text }).nullable(),
  loss: z.strictObject({ law: text, expected: text, observed: text }).nullable(),
  orderDecides: z.boolean(),
  known: texts,
  newBreaches: texts,
  recorded: texts,
  disagreements: z.array(z.strictObject({ place: text, op: text, kernel: text, model: text })),
});

export const matrix = answer('matrix', {
  planted: maybeText,
  kernels: z.array(
    z.strictObject({
      kernel: text,
      mechanisms: z.array(z.strictObject({ name: text, by: text })),
      absent: z.array(z.strictObject({ name: text, errno: text })),
      cells: z.array(cell),
    }),
  ),
});

/** How a count grows with the number of functions. */
const growing = z.array(
  z.strictObject({ count: text, values: z.array(maybeCount), grows: maybeText, order: maybeText }),
);

const hit = z.strictObject({
  name: text,
  modelled: z.boolean(),
  cost: z
    .strictObject({
      instructions: count,
      reads: count,
      writes: count,
      calls: count,
      strayReturns: count,
      cFunctions: z.array(calls),
    })
    .nullable(),
  inC: maybeCount,
  recorded: z
    .strictObject({ code: count, functions: z.array(calls.extend({ instructions: count })) })
    .nullable(),
});

const rate = z.strictObject({ name: text, rate: z.number() });

const agreement = z.strictObject({
  kernel: text,
  by: text,
  hits: count,
  spearman: z.number(),
  kendall: z.number(),
  deviations: z.array(z.strictObject({ cheaper: text, dearer: text, equal: z.boolean(), why: maybeText })),
  undercounted: z.array(z.strictObject({ name: text, why: maybeText })),
});

const timed = z.array(
  z.strictObject({
    name: text,
    instructions: count,
    strayReturns: count,
    measured: z.number(),
    predicted: z.number(),
    error: z.number(),
  }),
);

const absent = z.array(z.strictObject({ name: text, profile: text, why: text }));

export const compare = answer('compare', {
  numbers: z.array(count),
  names: maybeText,
  clients: z.array(
    z.strictObject({
      name: text,
      sentence: text,
      profile: text,
      refused: maybeText,
      grows: maybeText,
      fitted: z.array(count),
      attach: growing,
      detach: growing,
    }),
  ),
  absent,
  hits: z.array(z.strictObject({ profile: text, hits: z.array(hit) })),
  benchmark: z
    .strictObject({
      source: text,
      baseline: rate,
      hits: z.array(rate.extend({ nanoseconds: z.number() })),
      agreements: z.array(agreement),
    })
    .nullable(),
  model: z.array(
    z.strictObject({
      perInstruction: z.number(),
      perStrayReturn: z.number(),
      fitted: timed,
      predicted: timed,
    }),
  ),
  posted: z.array(z.strictObject({ what: text, posted: text, counted: count })),
});

const refusedBy = z.strictObject({ errno: text, routine: text, guard: text });

const without = z.strictObject({ why: text, by: refusedBy.nullable(), count, functions: texts });

export const cost = answer('cost', {
  file: text,
  functions: count,
  typed: z.boolean(),
  without: z.array(without),
  designs: z.array(
    z.strictObject({
      name: text,
      profile: text,
      attached: count,
      refused: z.array(without),
      together: without.nullable(),
      byFormula: z.boolean(),
      counts: z.array(z.strictObject({ count: text, attach: maybeCount, detach: maybeCount })),
    }),
  ),
  absent,
});

const changes = z.array(z.strictObject({ after: text, by: text }));

export const historyBehaviour = answer('history', {
  behaviour: z.strictObject({
    name: text,
    sentence: text,
    values: byKernel,
    changes,
    breaches: z.array(z.strictObject({ name: text, kernels: texts })),
  }),
});

export const historyBreach = answer('history', {
  breach: z.strictObject({
    name: text,
    sentence: text,
    evidence: text,
    kernels: texts,
    restsOn: texts,
    changes,
    shown: texts,
    notShown: maybeText,
  }),
});

export const histories = answer('history', {
  behaviours: z.array(z.strictObject({ name: text, values: byKernel, changes })),
});
