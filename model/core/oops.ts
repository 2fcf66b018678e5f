/** The kernel would have crashed here: a NULL pointer, a BUG. The state that it leaves says nothing any more. */
export class Oops extends Error {
  override name = 'Oops';
  constructor(
    readonly where: string,
    readonly why: string,
  ) {
    super(`${where}: ${why}`);
  }
}
