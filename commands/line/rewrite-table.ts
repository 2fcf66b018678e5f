import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeWhole } from './write-whole.ts';

/** Replaces the last thing in a module, a table, by what it is now; `declaration` is the text before its value. */
export function rewriteTable(file: URL, declaration: string, value: string): void {
  const text = readFileSync(file, 'utf8');
  const end = text.indexOf(declaration) + declaration.length;
  writeWhole(fileURLToPath(file), `${text.slice(0, end)}${value};\n`);
}
