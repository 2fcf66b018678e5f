import type { MatrixScene } from '../../checker/matrix/cell.ts';
import { aloneErrno, playCell } from '../../checker/matrix/cell.ts';
import type { Mechanism } from '../../checker/matrix/mechanism.ts';
import { MECHANISMS } from '../../checker/matrix/mechanism.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import type { RecordedPair } from '../../conformance/matrix/recorded-pair.ts';
import { recordedPairs } from '../../conformance/matrix/recorded-pairs.ts';
import { targetNamed } from '../../conformance/sequences/targets.ts';
import { wordsFor } from '../../conformance/sequences/words.ts';
import type { Answer, Exit, Job, JobProgress } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf } from '../../model/core/input-value.ts';
import { present } from '../../model/core/present.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { requirePlace } from '../line/asked-place.ts';
import { named } from '../line/options.ts';
import { disagreement } from './agreement.ts';
import { cellLines } from './cell-text.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { newBreachesIn } from './judged-cell.ts';
import { matrixSuite } from './matrix-checks.ts';
import { matrixJson } from './matrix-json.ts';
import { matrixPage } from './matrix-page.ts';
import { matrixRows } from './matrix-rows.ts';
import { matrixLines } from './matrix-text.ts';

/** The options of `matrix`, as the command line gives them. */
export interface MatrixLine {
  readonly kernel?: string;
  readonly planted?: string;
  /** The file of its page. */
  readonly html?: string;
}

/** What to play: in which kernels, all pairs or one, and the recordings to compare with. */
export interface MatrixQuestion {
  readonly profiles: readonly string[];
  readonly pair: readonly [Mechanism, Mechanism] | undefined;
  readonly planted: AttachPlanted | undefined;
  readonly pairs: readonly RecordedPair[];
  /** The file of its page. */
  readonly html?: string;
}

/** The function of the recordings that mechanisms meet on: two arguments in registers, and a return value. */
const FN = 'f2';

/** The question of `matrix`; `recordings` are files of recorded sequences. */
export function matrixQuestion(
  names: readonly string[],
  { kernel, planted, html }: MatrixLine,
  recordings: readonly string[],
): MatrixQuestion {
  if (names.length !== 0 && names.length !== 2)
    throw new InputError(`matrix takes no mechanism or two, not ${names.length}`);
  if (kernel !== undefined) designOf(profileNamed(kernel));
  if (html !== undefined) requirePlace('--html', html);
  const [first, second] = names.map(mechanismNamed);
  return {
    profiles: kernel === undefined ? KERNELS : [kernel],
    pair: first === undefined || second === undefined ? undefined : [first, second],
    planted: planted === undefined ? undefined : named(planted, ATTACH_PLANTED, 'planted bug'),
    pairs: recordedPairs(recordings, FN),
    ...(html === undefined ? {} : { html }),
  };
}

function mechanismNamed(name: string): Mechanism {
  const known = MECHANISMS.map((mechanism) => mechanism.name);
  return MECHANISMS.find((mechanism) => mechanism.name === oneOf(name, known, 'mechanism'))!;
}

/** The command `matrix`. */
export function* matrixJob(question: MatrixQuestion): Job {
  const matrices: Matrix[] = [];
  for (const profile of question.profiles) {
    const matrix = yield* matrixOf(question, profile);
    if (matrix === undefined) break;
    matrices.push(matrix);
  }
  return answerOf(question, matrices);
}

/** Undefined when it was stopped. */
export function* matrixOf(
  question: MatrixQuestion,
  profile: string,
): Generator<JobProgress, Matrix | undefined, boolean> {
  const scene = sceneOf(question, profile);
  const there: Mechanism[] = [];
  const absent: { mechanism: Mechanism; errno: Errno }[] = [];
  for (const mechanism of asked(question)) {
    const errno = aloneErrno(scene, mechanism);
    if (errno === 0) there.push(mechanism);
    else absent.push({ mechanism, errno });
  }
  const cells: JudgedCell[] = [];
  const isAsked = asking(question);
  for (const first of there)
    for (const second of there) {
      if (!isAsked(first, second)) continue;
      cells.push(judged(question, scene, first, second));
      if (yield { part: `cells of ${profile}`, done: cells.length, unit: 'cell' }) return undefined;
    }
  return { scene, mechanisms: there, absent, cells };
}

function asked({ pair }: MatrixQuestion): readonly Mechanism[] {
  return pair === undefined
    ? MECHANISMS.filter(({ inPairsOnly }) => inPairsOnly !== true)
    : MECHANISMS.filter((mechanism) => pair.includes(mechanism));
}

/** All pairs, or the two that are named, in both orders. */
function asking({ pair }: MatrixQuestion): (first: Mechanism, second: Mechanism) => boolean {
  if (pair === undefined) return () => true;
  const [a, b] = pair;
  return (first, second) => (first === a && second === b) || (first === b && second === a);
}

function sceneOf({ planted }: MatrixQuestion, profile: string): MatrixScene {
  const fn = present(targetNamed(FN), FN);
  const { registers, stack } = wordsFor(fn);
  const call = { do: 'call', fn: FN, registers, stack } as const;
  return { profile, fn, call, program: plantedKernel(planted), known: KNOWN_ATTACH };
}

function judged(
  { pairs }: MatrixQuestion,
  scene: MatrixScene,
  first: Mechanism,
  second: Mechanism,
): JudgedCell {
  const cell = playCell(scene, first, second);
  const like = pairs.filter(
    (pair) => pair.kernel === scene.profile && pair.first === first.name && pair.second === second.name,
  );
  return {
    ...cell,
    recorded: like.map(({ place }) => place),
    disagreements: like.flatMap((pair) => disagreement(cell, pair) ?? []),
  };
}

function answerOf({ pair, planted, html }: MatrixQuestion, matrices: readonly Matrix[]): Answer {
  const exit = exitOf(matrices);
  const lines = matrices.map(pair === undefined ? matrixLines : cellLines);
  return {
    text: lines.map((items) => items.join('\n')).join('\n\n'),
    json: { command: 'matrix', exit, planted: planted?.name ?? null, kernels: matrices.map(matrixJson) },
    csv: matrixRows(matrices),
    suites: matrices.map(matrixSuite),
    exit,
    save: [],
    ...(html === undefined ? {} : { files: [{ file: html, content: matrixPage(matrices) }] }),
  };
}

/** A recording that shows something else, or a breach that is not listed. */
function exitOf(matrices: readonly Matrix[]): Exit {
  const cells = matrices.flatMap((matrix) => matrix.cells);
  const isBad = cells.some((cell) => cell.disagreements.length > 0 || newBreachesIn(cell).length > 0);
  return isBad ? EXIT.BROKEN : EXIT.HELD;
}
