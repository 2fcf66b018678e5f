/** The corpus, from the top of the project. */
export const CORPUS = 'counterexamples/corpus';

/** The saved example of a listed interleaved breach in a kernel, below the corpus. */
export function knownTaskPath(name: string, kernel: string): string {
  return `task/known/${name}.${kernel}.trace`;
}
