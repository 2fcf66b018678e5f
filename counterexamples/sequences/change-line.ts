import { WIDTH, wrap } from '../text.ts';
import type { StateChange } from './delta.ts';

const SUBJECT = 12;
const FROM = 18;

/** `f2+0x4      nop5              →  call tramp#1`; what is too long for one line goes on below. */
export function changeLine({ subject, from, to }: StateChange): string[] {
  const line = `       ${subject.padEnd(SUBJECT)} ${`${from} `.padEnd(FROM)}→  ${to}`;
  if (line.length <= WIDTH) return [line];
  const margin = ' '.repeat(8 + SUBJECT + FROM);
  return [
    `       ${subject.padEnd(SUBJECT)} ${from}`,
    ...wrap(to, WIDTH - margin.length - 3).map((part, i) => `${margin}${i === 0 ? '→' : ' '}  ${part}`),
  ];
}
