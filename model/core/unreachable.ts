/**
 * The end of a switch that has a case for every member of a union: a new member does not compile here. What comes here
 * all the same is data from outside that nobody has checked.
 */
export function unreachable(unknown: never): never {
  throw new Error(`there is no case for ${JSON.stringify(unknown)}`);
}
