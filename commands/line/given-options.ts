/** The options of a command that were given after its name: the default run has some of the same names, which are read first. */
export function givenOptions<T extends object>(own: T): Partial<T> {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)) as Partial<T>;
}
