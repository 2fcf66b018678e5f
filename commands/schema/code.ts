import { z } from 'zod';
import { foundImage, imageTotals, sequenceTotals } from './checked.ts';
import { answer, combination, count, digits, maybeCount, maybeText, text, texts } from './parts.ts';

/* Images, stubs, recordings, and where arguments lie. */

const listing = z.array(z.strictObject({ offset: count, text, note: text }));

/** An image that was judged; all of it `null` where there is none. */
const judged = {
  case: combination,
  verdict: text,
  paths: digits.nullable(),
  laws: maybeCount,
  known: texts,
  flags: maybeText,
  bytes: maybeText,
  listing,
};

export const abi = answer('abi', {
  ...judged,
  attached: count,
  refusal: z.strictObject({ program: count, stage: text, errno: text }).nullable(),
  counterexample: foundImage.nullable(),
});

export const image = answer('image', { ...judged, difference: maybeText, report: maybeText });

export const places = answer('abi', {
  arch: text,
  functions: z.array(
    z.strictObject({
      name: text,
      signature: text,
      arguments: z.array(z.strictObject({ type: text, places: texts, copied: z.boolean() })),
      returns: z.strictObject({ inMemory: z.boolean(), places: texts }),
      images: z.array(z.strictObject({ kernel: text, errno: maybeText, places: z.array(texts) })),
    }),
  ),
  sharing: z.array(
    z.strictObject({
      how: z.strictObject({
        plans: text,
        programs: text,
        returnPlace: text,
        returnWidth: text,
        stackCopied: text,
      }),
      trampolines: count,
      classes: z.array(z.strictObject({ plan: texts, functions: texts })),
    }),
  ),
});

export const sharing = answer('abi', {
  seed: count,
  planted: maybeText,
  cases: count,
  laws: z.array(z.strictObject({ name: text, met: count })),
  counterexample: z.strictObject({ law: text, functions: text, expected: text, observed: text }).nullable(),
});

function status(...all: readonly [string, ...string[]]) {
  return z.strictObject({ status: z.literal(all), why: maybeText });
}

export const images = answer('images', {
  files: texts,
  totals: imageTotals,
  groups: z.array(imageTotals),
  records: z.array(
    z.strictObject({
      place: text,
      kernel: text,
      boot: text,
      func: text,
      programs: texts,
      known: texts,
      refused: maybeText,
      attempt: status('agrees', 'differs', 'not decided'),
      image: status('identical', 'different', 'none', 'not the attached one'),
      call: status('reproduced', 'differs', 'not modelled', 'none'),
      laws: status('hold', 'known', 'broken', 'not modelled', 'none'),
      paths: digits.nullable(),
    }),
  ),
  problems: texts,
});

/** Lists in the format of the recorder. */
const recorded = z.strictObject({ kernel: z.array(z.unknown()), model: z.array(z.unknown()) });

export const sequences = answer('sequences', {
  files: texts,
  totals: sequenceTotals,
  groups: z.array(sequenceTotals),
  divergences: z.array(
    z.strictObject({
      place: text,
      release: text,
      set: text,
      seq: count,
      how: text,
      step: count,
      op: maybeText,
      aspect: text,
      fn: maybeText,
      kernel: text,
      model: text,
      events: recorded.nullable(),
      known: maybeText,
    }),
  ),
  stale: texts,
  problems: texts,
});

export const stubs = answer('stubs', {
  kernels: z.array(
    z.strictObject({
      kernel: text,
      tracepoints: count,
      stubs: count,
      sameBytes: count,
      held: count,
      bytes: count,
      aligned: count,
      grabbed: count,
    }),
  ),
  laws: z.array(z.strictObject({ name: text, stubs: count })),
});

export const stub = answer('stubs', {
  planted: maybeText,
  types: maybeText,
  bytes: maybeCount,
  code: z.array(z.strictObject({ offset: count, text })),
  breach: z.strictObject({ law: text, expected: text, observed: text }).nullable(),
});
