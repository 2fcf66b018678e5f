import { join } from 'node:path';
import { readText } from '../files.ts';
import type { SequenceResult } from './boots.ts';
import { Boots } from './boots.ts';
import { parseSequences } from './record.ts';

/** The lines of the project's recording, and of the further ones. */
export const LINES = linesOf('sequences.jsonl.gz');
export const ASKED = linesOf('asked-sequences.jsonl.gz');

function linesOf(recording: string): string[] {
  return readText(join(import.meta.dirname, '../recordings', recording))
    .trim()
    .split('\n');
}

/** A record as read, for tests to change. */
export interface Raw {
  steps: {
    errno: number;
    stage?: string;
    warn?: string[];
    obs: { entry: string; enabled?: string; call: { rax: string; ev: object[] } }[];
  }[];
  after_reset?: string[];
  poisoned?: object;
}

/** The record of a kernel (`6.12`) with a number in a set. */
export function raw(kernel: string, set: string, seq: number): Raw {
  const start = `{"release":"${kernel}.`;
  const line = LINES.find(
    (text) => text.startsWith(start) && text.includes(`"seq":${seq},`) && text.includes(`"set":"${set}"`),
  );
  return JSON.parse(line!);
}

/** Replays records one after the other, from a boot on. */
export function replay(...records: Raw[]): SequenceResult[] {
  const { sequences, problems } = parseSequences(
    records.map((raw) => JSON.stringify(raw)).join('\n'),
    'a.jsonl',
  );
  if (problems.length > 0) throw new Error(problems.join('; '));
  const boots = new Boots(sequences);
  return sequences.map((sequence) => boots.replay(sequence));
}
