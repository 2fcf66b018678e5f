import { readText } from '../../conformance/files.ts';
import { clientsFor } from '../compare/compare-options.ts';
import type { ListComparison } from './cost-answer.ts';
import { functionList } from './function-file.ts';

/** The options of `cost`, as the command line gives them. */
export interface CostLine {
  readonly functions?: string;
  readonly names?: string;
  readonly verbose?: boolean;
  readonly kernel?: string;
  readonly designs?: string;
}

/** The functions `cost` compares: those of a file, or those that `--functions` chooses. */
export function listFor(file: string, { functions, names, verbose, ...whose }: CostLine): ListComparison {
  const read = (path: string) => ({ path, text: readText(path) });
  const list = functionList(read(file), names === undefined ? undefined : read(names), functions);
  return {
    file: names ?? file,
    ...list,
    clients: clientsFor(whose),
    verbose: verbose ?? false,
  };
}
