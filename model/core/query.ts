/*
 * Queries about a part of a kernel. The reads of a step can be recorded: then its parts record every entry that is read.
 * Of a query they record only the answer, although finding it takes the whole part: which page has a number, which locks
 * an actor holds. Without a recorder a query is a plain function.
 */

/**
 * A function of a part and of a word. In a part of which a step has changed some entries, the answer has to follow from
 * the answer before it and from these entries.
 */
export type PartQuery<P extends object> = (part: P, about: string) => unknown;

/** The property of a part that records answers. */
export const ANSWER = Symbol('answer');

/** QueryAnswers a query in place of the query itself. */
export type QueryAnswers = (query: PartQuery<never>, about: string) => unknown;

/** The answer to a query. */
export function answerIn<P extends object, A>(
  part: P,
  query: (part: P, about: string) => A,
  about: string,
): A {
  const answers = (part as { readonly [ANSWER]?: QueryAnswers })[ANSWER];
  return answers === undefined ? query(part, about) : (answers(query, about) as A);
}
