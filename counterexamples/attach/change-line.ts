import { WIDTH } from '../text.ts';
import type { Change } from './delta.ts';

const SUBJECT = 12;
const FROM = 18;

/** `f2+0x4      nop5              →  call tramp#1`; what is too long for one line goes on below. */
export function changeLine({ subject, from, to }: Change): string[] {
  const line = `       ${subject.padEnd(SUBJECT)} ${`${from} `.padEnd(FROM)}→  ${to}`;
  if (line.length <= WIDTH) return [line];
  return [`       ${subject.padEnd(SUBJECT)} ${from}`, `${' '.repeat(8 + SUBJECT + FROM)}→  ${to}`];
}
