/**
 * Input that cannot be used: a damaged file, an unknown name. The message is one sentence that names the thing and
 * the place, for the person who gave it.
 */
export class InputError extends Error {
  override name = 'InputError';
}
