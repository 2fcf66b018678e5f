import { z } from 'zod';
import { answer, count, counts, maybeCount, maybeText, text, texts } from './parts.ts';

/* Long runs, parts of runs, and what the searches are worth. */

export const soak = answer('soak', {
  first: count,
  seed: count,
  done: count,
  searches: count,
  drawn: z.array(z.strictObject({ unit: text, number: count })),
  breaches: z.array(
    z.strictObject({ law: text, calls: text, times: count, kernels: texts, seed: count, path: maybeText }),
  ),
  failures: z.array(
    z.strictObject({ search: text, message: text, times: count, kernels: texts, seed: count }),
  ),
});

export const shard = answer('shard', {
  shard: text,
  file: maybeText,
  parts: count,
  breaches: count,
  wrong: texts,
});

export const missing = answer('merge', { missing: texts });

const drawnBug = z.strictObject({ found: count, of: count, median: maybeCount, unit: text, within: count });

export const bugs = answer('bugs', {
  totals: counts,
  bugs: z.array(
    z.strictObject({
      name: text,
      fix: text,
      commit: maybeText,
      title: text,
      here: z.literal(['planted', 'relative', 'known', 'not planted', 'not examined', 'not modelled']),
      planted: texts,
      law: maybeText,
      random: drawnBug.nullable(),
      exhaustive: z
        .strictObject({ found: z.boolean(), states: count, depth: count, bound: maybeText })
        .nullable(),
      shortest: maybeCount,
    }),
  ),
});

export const unplannedBugs = answer('bugs', {
  unplanned: z.array(
    z.strictObject({
      name: text,
      sentence: text,
      path: text,
      found: z.strictObject({ law: text, draws: count, unit: text }).nullable(),
      missed: maybeText,
    }),
  ),
});
