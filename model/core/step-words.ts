import type { Instruction } from './instruction.ts';

/** The name of a step in a report: its routine and its id. Nothing reads it back. */
export function stepText({ routine, id }: Pick<Instruction, 'routine' | 'id'>): string {
  return `${routine}: ${id}`;
}
