import type { CellVerdict } from '../../checker/matrix/cell.ts';
import { counted, shellWord, wrap } from '../../counterexamples/text.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { knownIn, mirrored, newBreachesIn, orderDecides, wordOf } from './judged-cell.ts';

const NAME = 15;

/** The table of one kernel, its legend, and below it the details that do not fit in a cell. */
export function matrixLines(matrix: Matrix): string[] {
  const { scene, mechanisms, cells } = matrix;
  const codes = codesOf(cells);
  const head = `${scene.profile}: a row is attached first, a column second`;
  const rows = mechanisms.map((first) => {
    const own = cells.filter((cell) => cell.first === first);
    return `${first.name.padEnd(NAME)} ${own.map((cell) => mark(matrix, cell, codes)).join('')}`.trimEnd();
  });
  return [
    ...wrap(head, 80),
    `${' '.repeat(NAME + 1)}${mechanisms.map(({ column }) => ` ${column}`).join('')}`,
    ...rows,
    ...legend(matrix, codes),
    ...linesBelow(matrix),
    '',
    `  a cell     npm run check -- matrix direct livepatch --kernel ${shellWord(scene.profile)}`,
  ];
}

/** What does not fit into the cells of the table. */
export function linesBelow(matrix: Matrix): string[] {
  return [
    ...absentLines(matrix),
    ...orderLines(matrix),
    ...lossLines(matrix),
    ...knownLines(matrix),
    ...problemLines(matrix),
  ];
}

/** ` ok `, `·BU*`: recorded, the verdict, the order decides. */
export function mark(matrix: Matrix, cell: JudgedCell, codes: ReadonlyMap<string, string>): string {
  const recorded = cell.recorded.length > 0 ? '·' : ' ';
  return `${recorded}${codes.get(wordOf(cell.verdict))}${orderDecides(matrix, cell) ? '*' : ' '}`;
}

/** Two characters for each verdict: capitals are an errno's. */
export function codesOf(cells: readonly JudgedCell[]): ReadonlyMap<string, string> {
  const codes = new Map([
    ['ok', 'ok'],
    ['loss', 'lo'],
    ['dies', 'di'],
  ]);
  const errnos = cells.flatMap(({ verdict }) => (verdict.is === 'refused' ? [verdict.errno] : [])).toSorted();
  for (const errno of new Set(errnos)) {
    const rest = [...errno.slice(2)].map((letter) => errno.charAt(1) + letter);
    codes.set(errno, rest.find((code) => ![...codes.values()].includes(code))!);
  }
  return codes;
}

function legend(matrix: Matrix, codes: ReadonlyMap<string, string>): string[] {
  const meant = usedCodes(matrix, codes).map(({ code, meaning }) => `${code} ${meaning}`);
  return ['', ...wrap([...meant, ...marksUsed(matrix)].join('; '), 78).map((line) => `  ${line}`)];
}

/** The codes that the table has, each with one of its cells and its meaning. */
export function usedCodes({ cells }: Matrix, codes: ReadonlyMap<string, string>) {
  return [...codes].flatMap(([word, code]) => {
    const cell = cells.find(({ verdict }) => wordOf(verdict) === word);
    return cell === undefined ? [] : [{ code, cell, meaning: MEANS[word] ?? word }];
  });
}

/** The marks beside the codes, each with its meaning. */
export function marksUsed(matrix: Matrix): string[] {
  const { cells } = matrix;
  const covered = cells.filter(({ recorded }) => recorded.length > 0).length;
  return [
    ...(covered > 0 ? [`· recorded of that kernel, ${covered} of ${cells.length} cells`] : []),
    ...(cells.some((cell) => orderDecides(matrix, cell)) ? ['* the order decides'] : []),
  ];
}

const MEANS: Readonly<Record<string, string>> = {
  ok: 'both see every call as promised',
  loss: 'an event is lost without an error',
  dies: 'the kernel crashes or hangs',
};

/** Mechanisms that the kernel lacks, and why. */
export function absentLines({ absent }: Matrix): string[] {
  const told = absent.map(
    ({ mechanism, errno }) => `${mechanism.name} (${errno === 'EBADF' ? 'no such call' : errno})`,
  );
  return told.length === 0
    ? []
    : wrap(`not in this kernel: ${told.join(', ')}`, 78).map((line) => `  ${line}`);
}

/** Each pair once, with both answers; those with the same answers together. */
function orderLines(matrix: Matrix): string[] {
  const { mechanisms, cells } = matrix;
  const positionOf = (name: string) => mechanisms.findIndex((mechanism) => mechanism.name === name);
  const pairs = cells.filter(
    (cell) => orderDecides(matrix, cell) && positionOf(cell.first.name) < positionOf(cell.second.name),
  );
  return grouped('the order decides', pairs, (cell) => {
    const other = mirrored(matrix, cell)!;
    return `${answered(cell.verdict)}; in the other order ${answered(other.verdict)}`;
  });
}

/** Cells below their text: each text once, in order of appearance. */
function grouped(title: string, cells: readonly JudgedCell[], say: (cell: JudgedCell) => string): string[] {
  const said = new Map<string, string[]>();
  for (const cell of cells) said.set(say(cell), [...(said.get(say(cell)) ?? []), named(cell)]);
  const lines = [...said].flatMap(([text, names]) => [
    ...wrap(text, 76).map((line) => `    ${line}`),
    ...wrap(names.join('; '), 72).map((line) => `        ${line}`),
  ]);
  return lines.length === 0 ? [] : ['', `  ${title}`, ...lines];
}

/** A verdict, and the call that it is about. */
export function answered(verdict: CellVerdict): string {
  return verdict.is === 'refused' && verdict.turn.do === 'detach'
    ? `${verdict.errno} when the ${verdict.turn.who} is detached`
    : wordOf(verdict);
}

/** `direct, then fentry`. */
export function named({ first, second }: JudgedCell): string {
  return `${first.name}, then ${second.name}`;
}

/** Promise and outcome in the cells that lose something; and how a kernel crashes. */
export function lossLines({ cells }: Pick<Matrix, 'cells'>): string[] {
  const dies = cells.filter(({ verdict }) => verdict.is === 'dies');
  const lost = cells.filter(({ verdict }) => verdict.is === 'loss');
  return [
    ...grouped('the kernel crashes or hangs', dies, ({ verdict }) =>
      verdict.is === 'dies' ? crashText(verdict.crash) : '',
    ),
    ...grouped('lost without an error: expected / observed', lost, ({ verdict }) => {
      if (verdict.is !== 'loss') return '';
      const { finding, law } = verdict.breach;
      return `${law.name}: ${inOneLine(finding)}`;
    }),
  ];
}

/** Listed breaches, each with the cells that show it. */
export function knownLines({ cells }: Pick<Matrix, 'cells'>): string[] {
  const names = [...new Set(cells.flatMap(knownIn))];
  return names.flatMap((name) => {
    const shown = cells.filter((cell) => knownIn(cell).includes(name)).map(named);
    const told = shown.length > SHOWN ? [...shown.slice(0, SHOWN), `${shown.length - SHOWN} more`] : shown;
    return ['', `known ${name}`, ...wrap(told.join('; '), 76).map((line) => `    ${line}`)];
  });
}

/** Cells that are named for a listed breach. */
const SHOWN = 6;

/** Contradictions by a real kernel, and breaches that are not listed. */
export function problemLines({ cells }: Matrix): string[] {
  const problems = cells.flatMap((cell) => [
    ...newBreachesIn(cell).map((told) => `✗ ${named(cell)}: breaks ${told}`),
    ...cell.disagreements.map(
      ({ place, op, kernel, model }) =>
        `✗ ${named(cell)}: at ${op} the kernel ${kernel}, the model ${model} (${place})`,
    ),
  ]);
  if (problems.length === 0) return [];
  return [
    '',
    ...problems.flatMap((told) => wrap(told, 78).map((line, i) => (i === 0 ? line : `  ${line}`))),
    `  ${counted(problems.length, 'problem')}`,
  ];
}
