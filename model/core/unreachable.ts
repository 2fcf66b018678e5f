/**
 * The end of a switch that has a case for every member of a union: a new member does not compile here. A value
 * that gets here all the same is unchecked data from outside.
 */
export function unreachable(unknown: never): never {
  throw new Error(`there is no case for ${JSON.stringify(unknown)}`);
}
