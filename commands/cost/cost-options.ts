import { readText } from '../../conformance/files.ts';
import { clientsFor } from '../compare/compare-options.ts';
import type { ListComparison } from './cost-answer.ts';
import { parseFunctions } from './function-file.ts';

/** The options of `cost`, as the command line gives them. */
export interface CostLine {
  readonly functions?: string;
  readonly kernel?: string;
  readonly designs?: string;
}

/** What `cost` compares: the functions of a file, or those of them that `--functions` chooses. */
export function listFor(file: string, { functions, ...whose }: CostLine): ListComparison {
  return {
    file,
    functions: parseFunctions(readText(file), file, functions),
    clients: clientsFor(whose),
  };
}
