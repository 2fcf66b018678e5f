import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readText } from '../../conformance/files.ts';
import { describeIssue } from '../../conformance/images/record.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { ComparedRun } from '../../kernels/compared.ts';
import { COMPARED_RUNS } from '../../kernels/compared-runs.ts';
import { releaseOf } from '../../kernels/releases.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { writeWhole } from '../line/write-whole.ts';

/* `npm run compared -- FILE...`: adds runs of histories that `kernel --json` has written, with the date of today. */

const RUN = z.object({
  command: z.literal('kernel'),
  kernel: z.enum(KERNELS),
  seed: z.number(),
  from: z.number(),
  next: z.number(),
  histories: z.number(),
  comparisons: z.number(),
  difference: z.unknown(),
});

const FILE = fileURLToPath(new URL('../../kernels/compared-runs.ts', import.meta.url));

const HEAD = `import type { ComparedRun } from './compared.ts';

/** Runs of histories on real kernels, long on purpose: a table, which \`npm run compared\` writes. */
export const COMPARED_RUNS: readonly ComparedRun[] = `;

function runIn(path: string): ComparedRun {
  const { data, error } = RUN.safeParse(parsed(path));
  if (data === undefined) throw new InputError(`${path}: ${describeIssue(item(error.issues, 0))}`);
  const { command: _, difference, ...run } = data;
  const date = new Date().toISOString().slice(0, 10);
  return { ...run, release: releaseOf(run.kernel).release, date, differences: difference === null ? 0 : 1 };
}

function parsed(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${path}: not JSON`);
  }
}

try {
  const runs = [...COMPARED_RUNS, ...process.argv.slice(2).map(runIn)];
  writeWhole(FILE, `${HEAD}${JSON.stringify(runs, null, 2)};\n`);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(`compared: ${error.message}`);
  process.exitCode = EXIT.USAGE;
}
