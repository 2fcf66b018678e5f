import { WIDTH, wrap } from '../text.ts';
import type { StateChange } from './delta.ts';

const SUBJECT = 12;
const SUBJECT_MOST = 32;
const FROM = 18;

/** One column for the changed places, as wide as the names of the functions need it: `f2+0x4 nop5 → call tramp#1`. */
export function changeLines(changes: readonly StateChange[], functions: readonly string[]): string[] {
  const widest = Math.max(...functions.map((name) => `direct[${name}]`.length));
  const subject = Math.min(Math.max(SUBJECT, widest), SUBJECT_MOST);
  return changes.flatMap((change) => changeLine(change, subject));
}

/** A text that is too long for one line continues below. */
function changeLine({ subject, from, to }: StateChange, width: number): string[] {
  const line = `       ${subject.padEnd(width)} ${`${from} `.padEnd(FROM)}→  ${to}`;
  if (line.length <= WIDTH) return [line];
  const column = ' '.repeat(8 + width);
  const margin = `${column}${' '.repeat(FROM)}`;
  return [
    ...wrap(from, WIDTH - column.length).map(
      (part, i) => `${i === 0 ? `       ${subject.padEnd(width)} ` : column}${part}`,
    ),
    ...wrap(to, WIDTH - margin.length - 3).map((part, i) => `${margin}${i === 0 ? '→' : ' '}  ${part}`),
  ];
}
