import type { Answer, AnswerPart, Job, JobProgress, Saved } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { isSameShape, shapeOf } from './breach-shape.ts';
import type { ProgressFile, SoakProgress, TimesMet } from './progress-file.ts';
import type { SoakSearch } from './searches.ts';
import { failureText, soakAnswer } from './soak-answer.ts';

/** A search without end, or until one of two bounds. */
export interface Soak {
  readonly searches: readonly SoakSearch[];
  readonly file: ProgressFile;
  /** The seed of the first round; that of each other is one more. */
  readonly first: number;
  /** Undefined: no bound. */
  readonly hours: number | undefined;
  readonly rounds: number | undefined;
}

/** How one search has ended. */
type Ended =
  | { readonly is: 'stopped' }
  | { readonly is: 'over'; readonly answer: Answer }
  | { readonly is: 'failed'; readonly error: unknown };

/** Resumes from the file; prints each breach once, and each failure of the checker. */
export function* soakJob({ searches, file, first, hours, rounds }: Soak): Job {
  const progress = file.read();
  const start = performance.now();
  const isLate = () => hours !== undefined && performance.now() - start > hours * 3_600_000;
  file.write(progress);
  file.requireWritten();
  const end = rounds === undefined ? Number.POSITIVE_INFINITY : first + rounds;
  while (progress.seed < end) {
    const search = searches[progress.done]!;
    const ended = yield* driven(search, progress, { isLate, of: searches.length });
    if (ended.is === 'stopped') break;
    const news = noted(progress, search, ended);
    goOn(progress, searches);
    if (news !== undefined) yield news;
    file.write(progress);
  }
  return soakAnswer({ progress, first, file });
}

/** Drives a search until its end, a stop, or the end of the time. */
function* driven(
  search: SoakSearch,
  progress: SoakProgress,
  { isLate, of }: { readonly isLate: () => boolean; readonly of: number },
): Generator<JobProgress, Ended, boolean> {
  const part = `seed ${progress.seed}, ${search.name}`;
  if (isLate()) return { is: 'stopped' };
  try {
    const job = search.start(progress.seed);
    for (let step = job.next(false); ; step = job.next(false)) {
      if (step.done === true) return { is: 'over', answer: step.value };
      const inner = 'inner' in step.value ? { inner: step.value.inner } : {};
      const wanted = yield { part, done: progress.done, of, unit: 'search', ...inner };
      if (wanted || isLate()) return { is: 'stopped' };
    }
  } catch (error) {
    return { is: 'failed', error };
  }
}

/** Counts the end of a search; what is new of it is printed. */
function noted(
  progress: SoakProgress,
  search: SoakSearch,
  ended: Exclude<Ended, { readonly is: 'stopped' }>,
): AnswerPart | undefined {
  const { bound, unit } = search;
  progress.searches++;
  progress.drawn.set(unit, (progress.drawn.get(unit) ?? 0) + bound);
  if (ended.is === 'failed') return failed(progress, search, messageOf(ended.error));
  const { part, save, exit } = ended.answer;
  const [saved] = save;
  if (exit !== EXIT.BROKEN || saved === undefined) return undefined;
  return isNewBreach(progress, search, saved)
    ? { text: (part?.reports ?? []).join('\n\n'), save: [saved] }
    : undefined;
}

function isNewBreach(progress: SoakProgress, { kernel }: SoakSearch, { path, text }: Saved): boolean {
  const shape = shapeOf(text);
  const earlier = progress.breaches.find((breach) => isSameShape(breach.shape, shape));
  if (earlier === undefined) progress.breaches.push({ ...once(progress, kernel), shape, path, text });
  else again(earlier, kernel);
  return earlier === undefined;
}

/** The checker's own failure ends its search, and no other. */
function failed(
  progress: SoakProgress,
  { kernel, name }: SoakSearch,
  message: string,
): AnswerPart | undefined {
  const earlier = progress.failures.find((failure) => failure.message === message);
  if (earlier !== undefined) {
    again(earlier, kernel);
    return undefined;
  }
  const failure = { ...once(progress, kernel), search: name, message };
  progress.failures.push(failure);
  return { text: failureText(failure), save: [] };
}

function once({ seed }: SoakProgress, kernel: string): TimesMet {
  return { times: 1, kernels: [kernel], seed };
}

function again(met: TimesMet, kernel: string): void {
  met.times++;
  if (!met.kernels.includes(kernel)) met.kernels.push(kernel);
}

/** The next search, or the first of the next round. */
function goOn(progress: SoakProgress, searches: readonly SoakSearch[]): void {
  progress.done++;
  if (progress.done < searches.length) return;
  progress.done = 0;
  progress.seed++;
}
