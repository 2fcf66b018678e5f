/**
 * Input that cannot be used: a damaged file, an unknown name. The message is one sentence that names the thing and
 * the place, for the person who gave it.
 */
export class InputError extends Error {
  override name = 'InputError';
}

/** What a reader gives; an InputError of it gets the place in front: `prog.trace: line 3: …`. */
export function located<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
  }
}
