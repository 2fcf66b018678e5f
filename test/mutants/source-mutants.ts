import type { Source } from '../sources.ts';
import { sources } from '../sources.ts';
import { isMutated } from './left-alone.ts';
import type { SourceMutation } from './source-operators.ts';
import { sourceMutations } from './source-operators.ts';

/** The areas whose TypeScript is mutated. */
export const AREAS = ['model/x86', 'model/trampoline', 'model/ftrace', 'model/text', 'model/tracepoint'];

/** Of model/trampoline, what makes images: machine code as model/x86 is. */
const MAKES_IMAGES = /^model\/trampoline\/((plan|stage)\/|(body|flags|frame|generate|item|signature)\.ts$)/;
export const IMAGES = 'model/trampoline (images)';

/** The area that the figures count a file in. */
export function areaOf(path: string): string {
  if (MAKES_IMAGES.test(path)) return IMAGES;
  return AREAS.find((area) => path.startsWith(`${area}/`)) ?? path;
}

/** A fault in an expression of a file. */
export interface SourceMutant extends SourceMutation {
  /** `model/x86/alu.ts/carry/comparison/a < b`: stable as long as the expression is. */
  readonly name: string;
  readonly path: string;
  /** The number of its switch. */
  readonly number: number;
}

/** The files of the areas, without tests, and without those that only print or count. */
export function mutatedSources(): Source[] {
  return sources('.ts').filter(
    (source) => AREAS.some((area) => source.path.startsWith(`${area}/`)) && isMutated(source),
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
