import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readText } from '../../conformance/files.ts';
import { describeIssue } from '../../conformance/images/record.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { ComparedRun } from '../../kernels/compared.ts';
import { COMPARED_RUNS } from '../../kernels/compared-runs.ts';
import { releaseOf } from '../../kernels/releases.ts';
import type { ShownRun } from '../../kernels/shown.ts';
import { SHOWN_RUNS } from '../../kernels/shown-runs.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { writeWhole } from '../line/write-whole.ts';

/*
 * `npm run compared -- FILE...`: adds what `kernel --json` has written, with the date of today: runs of histories, and, of
 * `--known` and `--schedule`, which listed breaches a kernel shows; of each of these what a kernel showed last is kept.
 */

const HISTORIES = z.object({
  command: z.literal('kernel'),
  kernel: z.enum(RECORDED_KERNELS),
  seed: z.number(),
  from: z.number(),
  next: z.number(),
  histories: z.number(),
  comparisons: z.number(),
  difference: z.unknown(),
});
const SCHEDULES = z.object({
  command: z.literal('kernel'),
  kernel: z.enum(RECORDED_KERNELS),
  schedules: z.array(z.object({ path: z.string(), is: z.string(), why: z.string().nullable() })),
});
const EXAMPLES = z.object({
  command: z.literal('kernel'),
  kernel: z.enum(RECORDED_KERNELS),
  known: z.array(z.object({ name: z.string(), is: z.string() })),
});

const compared: ComparedRun[] = [...COMPARED_RUNS];
let shown: readonly ShownRun[] = SHOWN_RUNS;
const date = new Date().toISOString().slice(0, 10);

function add(path: string): void {
  const value = parsed(path);
  const has = (field: string) => typeof value === 'object' && value !== null && field in value;
  if (has('known')) addExamples(path, value);
  else if (has('schedules')) addSchedules(path, value);
  else addHistories(path, value);
}

function addHistories(path: string, value: unknown): void {
  const { command: _, difference, ...run } = read(path, HISTORIES, value);
  const { release } = releaseOf(run.kernel);
  compared.push({ ...run, release, date, differences: difference === null ? 0 : 1 });
}

function addExamples(path: string, value: unknown): void {
  const { kernel, known } = read(path, EXAMPLES, value);
  keep({ what: 'calls', kernel, ...namesBy(known) });
}

/** By the names of the entries, which their saved examples have. */
function addSchedules(path: string, value: unknown): void {
  const { kernel, schedules } = read(path, SCHEDULES, value);
  const named = schedules.map((own) => ({
    ...own,
    name: basename(own.path).replace(/\.[\d.]+\.trace$/, ''),
  }));
  const notRun = named.flatMap(({ name, is, why }) => (is === 'not run' ? [{ name, why: why ?? '' }] : []));
  keep({ what: 'schedules', kernel, ...namesBy(named), notRun });
}

function namesBy(all: readonly { readonly name: string; readonly is: string }[]) {
  const of = (...is: readonly string[]) => all.filter((own) => is.includes(own.is)).map(({ name }) => name);
  return { shown: of('shown'), runsOn: of('runs on'), differing: of('differs', 'not stopped') };
}

/** Of a run of some files, what others have shown before stays. */
function keep(run: Omit<ShownRun, 'release' | 'date'>): void {
  const { release } = releaseOf(run.kernel);
  const isSame = ({ kernel, what }: ShownRun) => kernel === run.kernel && what === run.what;
  const earlier = shown.find(isSame);
  const merged = { ...(earlier === undefined ? run : withEarlier(run, earlier)), release, date };
  shown = earlier === undefined ? [...shown, merged] : shown.map((own) => (own === earlier ? merged : own));
}

function withEarlier<R extends Omit<ShownRun, 'release' | 'date'>>(run: R, earlier: ShownRun): R {
  const { shown, runsOn, differing, notRun = [] } = run;
  const names = new Set([...shown, ...runsOn, ...differing, ...notRun.map(({ name }) => name)]);
  const left = (list: readonly string[]) => list.filter((name) => !names.has(name));
  return {
    ...run,
    shown: [...left(earlier.shown), ...shown],
    runsOn: [...left(earlier.runsOn), ...runsOn],
    differing: [...left(earlier.differing), ...differing],
    ...(run.notRun === undefined
      ? {}
      : { notRun: [...(earlier.notRun ?? []).filter(({ name }) => !names.has(name)), ...notRun] }),
  };
}

function read<T>(path: string, schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value);
  if (data === undefined)
    throw new InputError(`${path}: ${error === undefined ? 'empty' : describeIssue(item(error.issues, 0))}`);
  return data;
}

function parsed(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError(`${path}: not JSON`);
  }
}

function write(
  name: string,
  type: string,
  sentence: string,
  constant: string,
  runs: readonly object[],
): void {
  const file = fileURLToPath(new URL(`../../kernels/${name}-runs.ts`, import.meta.url));
  const head = `import type { ${type} } from './${name}.ts';

/** ${sentence}, long on purpose: a table, which \`npm run compared\` writes. */
export const ${constant}: readonly ${type}[] = `;
  writeWhole(file, `${head}${JSON.stringify(runs, null, 2)};\n`);
}

try {
  for (const path of process.argv.slice(2)) add(path);
  write('compared', 'ComparedRun', 'Runs of histories on real kernels', 'COMPARED_RUNS', compared);
  write('shown', 'ShownRun', 'Listed breaches on running kernels', 'SHOWN_RUNS', shown);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  console.error(`compared: ${error.message}`);
  process.exitCode = EXIT.USAGE;
}
