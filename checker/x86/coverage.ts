import { FAMILY } from '../../model/x86/instruction.ts';
import { OP } from '../../model/x86/row.ts';
import { ENCODINGS } from './encodings.ts';
import type { Drawn } from './sequence.ts';
import { SHAPES, shapesOf } from './shapes.ts';

/** How often each of a fixed list of things was executed, by its name. */
export type CoverageCounts = Map<string, number>;

/**
 * Counts what was executed. A run that never executed an encoding at one of its operand sizes, a family of
 * instructions, a shape, or a short form of the interpreter's loop has shown nothing about it.
 */
export class Coverage {
  readonly encodings = zero(ENCODINGS.flatMap(({ line, sizes }) => sizes.map((size) => keyOf(line, size))));
  readonly families = zero(Object.keys(FAMILY).map((name) => `family ${name}`));
  readonly shapes = zero(SHAPES);
  readonly shortForms = zero(SHORT_FORMS.map((name) => `short form ${name}`));
  executed = 0;

  /** An instruction was executed that the decoder puts into a family. */
  note(drawn: Drawn, family: number): void {
    this.executed++;
    add(this.encodings, keyOf(drawn.encoding.line, drawn.size));
    add(this.families, `family ${FAMILY_NAMES[family]}`);
    for (const shape of shapesOf(drawn)) add(this.shapes, shape);
  }

  /** An instruction was executed in the short form `op`. */
  noteShortForm(op: number): void {
    add(this.shortForms, `short form ${OP_NAMES[op]}`);
  }

  /** The names that were never executed. */
  missing(): string[] {
    const all = [this.encodings, this.families, this.shapes, this.shortForms];
    return all.flatMap((counts) => [...counts].filter(([, times]) => times === 0).map(([name]) => name));
  }
}

const FAMILY_NAMES = namesByNumber(FAMILY);
const OP_NAMES = namesByNumber(OP);

/** BREAK represents a breakpoint, not an instruction. */
const SHORT_FORMS = Object.keys(OP).filter((name) => name !== 'BREAK');

function keyOf(line: string, size: number): string {
  return `${line}, ${size} bytes`;
}

function zero(names: readonly string[]): CoverageCounts {
  return new Map(names.map((name) => [name, 0]));
}

/** Counts one of the list; what is not on it does not count. */
function add(counts: CoverageCounts, name: string): void {
  const before = counts.get(name);
  if (before !== undefined) counts.set(name, before + 1);
}

function namesByNumber(numbers: Readonly<Record<string, number>>): readonly string[] {
  const names: string[] = [];
  for (const [name, number] of Object.entries(numbers)) names[number] = name;
  return names;
}
