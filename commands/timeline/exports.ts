import type { Command } from 'commander';
import type { Answer, AnswerPart, AskedFile, Job, JobProgress, Saved } from '../../counterexamples/answer.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { requirePlace } from '../line/asked-place.ts';
import type { CommandWork } from '../line/command-line.ts';
import type { ExportOption } from './content.ts';

/** Files that a command writes of a trace besides its answer. */
export interface ExportOptions {
  /** The timeline, as Chrome's trace event format. */
  readonly trace?: string;
  /** Its states, in the Informal Trace Format. */
  readonly itf?: string;
  /** Its page, on which the model runs. */
  readonly html?: string;
}

/** The options of a command that shows a trace. */
export function withExports(command: Command): Command {
  return command
    .option('--trace <file>', 'write the run as a timeline for ui.perfetto.dev to this file')
    .option('--itf <file>', 'write the states of the run in the format of Apalache and Quint to this file')
    .option('--html <file>', 'write the run as a page, on which it can be walked through, to this file');
}

/** Adds the files of the one trace that a command is about, whose text is `textOf(path)`. */
export async function exportedOf(
  work: () => Promise<CommandWork>,
  options: ExportOptions,
  paths: readonly string[],
): Promise<CommandWork> {
  const asked = askedIn(options);
  const [path, ...others] = paths;
  if (asked.length === 0 || path === undefined) return work();
  if (others.length > 0)
    throw new InputError(`${asked[0]!.option} is for one trace, and there are ${paths.length}`);
  const [{ readLines }, { contentOf, requireExportable }] = await Promise.all([
    import('../../conformance/files.ts'),
    import('./content.ts'),
  ]);
  const text = readLines(path);
  for (const { option } of asked) located(path, () => requireExportable(option, text));
  const done = await work();
  const files = await Promise.all(
    asked.map(({ option, file }) => asFile(file, () => contentOf(option, { path, text }))),
  );
  return 'text' in done ? { ...done, files } : withFiles(done, async () => files);
}

/** Adds the files of the first counterexample that a search finds. */
export async function exportedBreach(
  work: () => Promise<CommandWork>,
  options: ExportOptions,
): Promise<CommandWork> {
  const asked = askedIn(options);
  if (asked.length === 0) return work();
  const [done, { contentOf }] = await Promise.all([work(), import('./content.ts')]);
  const filesOf = ([found]: readonly Saved[]): Promise<AskedFile[]> =>
    Promise.all(
      asked.map(async ({ option, file }) =>
        found === undefined
          ? { file, why: 'no breach was found' }
          : asFile(file, () => contentOf(option, found)),
      ),
    );
  return 'text' in done ? { ...done, files: await filesOf(done.save) } : withFiles(done, filesOf);
}

/** The options that are given. Throws an InputError for a file that cannot be there. */
function askedIn({
  trace,
  itf,
  html,
}: ExportOptions): { readonly option: ExportOption; readonly file: string }[] {
  const given = [
    { option: '--trace', file: trace },
    { option: '--itf', file: itf },
    { option: '--html', file: html },
  ] as const;
  return given.flatMap(({ option, file }) => {
    if (file === undefined) return [];
    requirePlace(option, file);
    return [{ option, file }];
  });
}

/** A trace that cannot be exported costs no report: the reason is printed instead. */
async function asFile(file: string, content: () => Promise<string>): Promise<AskedFile> {
  try {
    return { file, content: await content() };
  } catch (error) {
    if (error instanceof InputError) return { file, why: error.message };
    throw error;
  }
}

/** A job whose answer has files made of all that it has found. */
async function* withFiles(
  job: Job | WaitingJob,
  filesOf: (found: readonly Saved[]) => Promise<readonly AskedFile[]>,
): WaitingJob {
  const found: Saved[] = [];
  for (let stop = false; ; ) {
    const step: IteratorResult<JobProgress | AnswerPart, Answer> = await job.next(stop);
    if (step.done === true) return { ...step.value, files: await filesOf([...found, ...step.value.save]) };
    if ('save' in step.value) found.push(...step.value.save);
    stop = yield step.value;
  }
}
