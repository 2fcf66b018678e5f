/** The corpus, from the top of the project. */
export const CORPUS = 'counterexamples/corpus';
