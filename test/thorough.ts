/** `npm run thorough`: checks everything of which a test run, in its few minutes, checks a sample. */
export const THOROUGH = process.env['THOROUGH'] === '1';

/** The first of every few items of a long list; all of it in a thorough run. */
export function someOf<T>(all: readonly T[], every: number): readonly T[] {
  return THOROUGH ? all : all.filter((_, i) => i % every === 0);
}
