import type { Answer, Exit } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import type { Remark } from '../../counterexamples/run-part.ts';
import { markOf, partText, remarkLines } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import type { ProgressFile, SoakedBreach, SoakedFailure, SoakProgress } from './progress-file.ts';

/** A soak at the end of a run. */
export interface EndedSoak {
  readonly progress: SoakProgress;
  readonly first: number;
  readonly file: Pick<ProgressFile, 'failure'>;
}

/** What all runs with the file have found together. Breaches were printed and saved when they were met. */
export function soakAnswer({ progress, first, file }: EndedSoak): Answer {
  const { breaches, failures, seed, done, searches, drawn } = progress;
  const exit = exitOf(progress);
  const { text } = partText({
    mark: markOf(exit),
    name: 'soak',
    counts: [
      `${counted(searches, 'search')} with ${seedsText(progress, first)}`,
      ...[...drawn].map(([unit, n]) => counted(n, unit)),
    ].join(', '),
    remarks: [...breaches.map(breachRemark), ...failures.map(failureRemark), ...unwritten(file)],
  });
  return {
    text,
    json: { command: 'soak', exit, first, seed, done, searches, ...listsJson(progress) },
    exit,
    save: breaches.map(({ path, text: trace }) => ({ path, text: trace })),
    verdict: {
      breaches: breaches.length,
      wrong: failures.length === 0 ? [] : [`${counted(failures.length, 'failure')} of the checker`],
      known: [],
      open: searches === 0 ? ['no search was finished'] : [],
      next: { options: {} },
    },
  };
}

function exitOf({ breaches, failures, searches }: SoakProgress): Exit {
  return worstExit([
    ...(failures.length > 0 ? [EXIT.FAILED] : []),
    ...(breaches.length > 0 ? [EXIT.BROKEN] : []),
    ...(searches === 0 ? [EXIT.INCONCLUSIVE] : []),
  ]);
}

/** `seeds 1 to 40`: of the last one perhaps a part. */
function seedsText({ seed, done }: SoakProgress, first: number): string {
  const last = done === 0 ? Math.max(first, seed - 1) : seed;
  return last === first ? `seed ${first}` : `seeds ${first} to ${last}`;
}

function breachRemark({ shape, times, kernels, seed }: SoakedBreach): Remark {
  const text = `${shape.law}: ${counted(times, 'time')}, first with seed ${seed}, in ${kernels.join('; ')}`;
  return { mark: '✗', name: 'breach', text };
}

function failureRemark({ message, times, kernels, seed, search }: SoakedFailure): Remark {
  const text = `${search}, seed ${seed}: ${message} (${counted(times, 'time')}, in ${kernels.join('; ')})`;
  return { mark: '✗', name: 'checker failed', text };
}

function unwritten({ failure }: Pick<ProgressFile, 'failure'>): Remark[] {
  return failure === undefined ? [] : [{ mark: '?', name: 'progress', text: failure }];
}

/** A failure, as soon as it is met. */
export function failureText(failure: SoakedFailure): string {
  return remarkLines(failureRemark(failure)).join('\n');
}

function listsJson({ drawn, breaches, failures }: SoakProgress) {
  return {
    drawn: [...drawn].map(([unit, number]) => ({ unit, number })),
    breaches: breaches.map(({ shape, times, kernels, seed, path }) => ({
      ...{ law: shape.law, calls: shape.calls, times, kernels, seed },
      path: `${CORPUS}/${path}`,
    })),
    failures: failures.map(({ search, message, times, kernels, seed }) => ({
      ...{ search, message, times, kernels, seed },
    })),
  };
}
