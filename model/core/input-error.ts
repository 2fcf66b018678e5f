/**
 * Input that cannot be used: a damaged file, an unknown name. The message is one sentence that names the thing and
 * the place, for the person who gave it.
 */
export class InputError extends Error {
  override name = 'InputError';
  /** The word at fault, as it is in the input. */
  readonly word: string | undefined;
  constructor(message: string, word?: string) {
    super(message);
    this.word = word;
  }
}

/** The result of a reader; an InputError of it gets the place as a prefix: `prog.trace: line 3: …`. */
export function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
  }
}

/** The same of a line that is read: its number from 1, and the column of the word at fault. */
export function locatedIn<T>(line: string, number: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const column = error.word === undefined ? -1 : line.indexOf(error.word);
    const place = column < 0 ? `line ${number}` : `line ${number}, column ${column + 1}`;
    throw new InputError(`${place}: ${error.message}`);
  }
}
