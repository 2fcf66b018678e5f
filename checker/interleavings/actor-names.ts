/*
 * How those are called who act in a scenario, in schedules and as holders of locks. Nobody reads a name: who has to know
 * whose it is compares it with this one.
 */

/** A client by its index: `client#1`. */
export function clientName(index: number): string {
  return `client#${index + 1}`;
}

/** A caller by its index: `task#1`. */
export function taskName(index: number): string {
  return `task#${index + 1}`;
}
