/*
 * The names of actors in a scenario, in schedules and as holders of locks. No code parses a name: it compares names
 * made here.
 */

/** A client by its index: `client#1`. */
export function clientName(index: number): string {
  return `client#${index + 1}`;
}

/** A caller by its index: `task#1`. */
export function taskName(index: number): string {
  return `task#${index + 1}`;
}
