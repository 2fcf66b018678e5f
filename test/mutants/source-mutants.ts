import type { Source } from '../sources.ts';
import { sources } from '../sources.ts';
import type { SourceMutation } from './source-operators.ts';
import { sourceMutations } from './source-operators.ts';

/** The areas whose TypeScript is mutated. */
export const AREAS = ['model/x86', 'model/trampoline', 'model/ftrace', 'model/text', 'model/tracepoint'];

/** A fault in an expression of a file. */
export interface SourceMutant extends SourceMutation {
  /** `model/x86/alu.ts/carry/comparison/a < b`: stable as long as the expression is. */
  readonly name: string;
  readonly path: string;
  /** The number of its switch. */
  readonly number: number;
}

/** The files of the areas, without tests. */
export function mutatedSources(): Source[] {
  return sources('.ts').filter(
    ({ path }) => AREAS.some((area) => path.startsWith(`${area}/`)) && !path.endsWith('.test.ts'),
  );
}

/** Every mutant of these files, numbered from 1. */
export function sourceMutants(files: readonly Source[] = mutatedSources()): SourceMutant[] {
  let number = 0;
  return files.flatMap((source) => {
    const seen = new Map<string, number>();
    return sourceMutations(source).map((mutation) => {
      const { within, operator, from } = mutation;
      const name = [source.path, within, operator, from].filter((part) => part !== '').join('/');
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      return {
        ...mutation,
        name: nth === 1 ? name : `${name} (${nth})`,
        path: source.path,
        number: ++number,
      };
    });
  });
}

/** The constants that switched files read: the mutant that is on, and the marks of those that were come to. */
export const SWITCH = '__mutant';
export const MARKS = '__reached';

/**
 * The text of a file with its mutants, each with a switch. With marks an expression that is computed notes the
 * number of its mutant as well. An expression comes before those in it.
 */
export function switched(text: string, mutants: readonly SourceMutant[], marks: boolean): string {
  let next = 0;
  const between = (start: number, end: number): string => {
    let result = '';
    let place = start;
    for (let mutant = mutants[next]; mutant !== undefined && mutant.end <= end; mutant = mutants[next]) {
      next++;
      const mark = marks ? `${MARKS}[${mutant.number}] = 1, ` : '';
      const own = between(mutant.start, mutant.end);
      const choice = `(${mark}${SWITCH} === ${mutant.number} ? ${mutant.to} : ${own})`;
      result += text.slice(place, mutant.start) + choice;
      place = mutant.end;
    }
    return result + text.slice(place, end);
  };
  return between(0, text.length);
}
