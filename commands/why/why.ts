import { existsSync } from 'node:fs';
import type { Answer } from '../../counterexamples/answer.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import { isFile } from '../line/is-file.ts';
import { errnoAsked } from './errno-asked.ts';
import type { WhyLine } from './why-job.ts';

/** The options of `why`, with a file and without one, and of a machine. */
export interface WhyOptions extends WhyLine {
  readonly kernel?: string;
  /** The word is a function of a machine. */
  readonly here?: boolean;
  readonly root?: string;
}

/**
 * The command `why`: of an errno, of the refusal in a file, of an errno in a file, or of a function of a machine. Only
 * those of files and machines load the model.
 */
export async function whyAnswer(
  word: string,
  path: string | undefined,
  options: WhyOptions,
): Promise<Answer> {
  if (options.here === true) return hereAnswer(word, path, options);
  if (options.root !== undefined) throw new InputError('--root is the folder of a machine: it needs --here');
  if (path !== undefined) return fileAnswer(errnoAsked(word), path, options);
  return isFile(word) ? fileAnswer(undefined, word, options) : siteAnswer(word, options);
}

async function hereAnswer(
  word: string,
  path: string | undefined,
  { root = '/', kernel, step, undo }: WhyOptions,
): Promise<Answer> {
  if (path !== undefined) throw new InputError(`--here takes one function, and not ${path} as well`);
  if (step !== undefined) throw new InputError('--step needs the file of a sequence');
  const [{ whyHere }, { undoCalls }] = await Promise.all([import('./here/here.ts'), import('./why-job.ts')]);
  return whyHere({ asked: word, root, kernel, undoCalls: undoCalls(undo) });
}

async function siteAnswer(word: string, { kernel, step, undo }: WhyOptions): Promise<Answer> {
  if (step !== undefined || undo !== undefined)
    throw new InputError(`--${step === undefined ? 'undo' : 'step'} needs the file of a sequence`);
  const { whyErrno } = await import('./why-errno.ts');
  return whyErrno(errnoAsked(word), kernel);
}

async function fileAnswer(
  errno: Errno | undefined,
  named: string,
  { kernel, ...line }: WhyOptions,
): Promise<Answer> {
  const { path, step } = placeIn(named);
  if (kernel !== undefined)
    throw new InputError(`${path} names its kernel; --kernel applies only without a file`);
  const [{ readTrace }, { whyRefused }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./why-job.ts'),
  ]);
  return whyRefused(errno, readTrace(path), { ...line, ...step });
}

/** A file, and a step of it after a colon. */
function placeIn(named: string): { readonly path: string; readonly step: Pick<WhyLine, 'step'> } {
  const [, path = named, number] = existsSync(named) ? [] : (/^(.*):(\d+)$/.exec(named) ?? []);
  return { path, step: number === undefined ? {} : { step: number } };
}
