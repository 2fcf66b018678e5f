import type { Instruction } from './instruction.ts';

/** What a report calls a step of a routine: what it is known by. Nothing reads it back. */
export function stepText({ routine, id }: Pick<Instruction, 'routine' | 'id'>): string {
  return `${routine}: ${id}`;
}
