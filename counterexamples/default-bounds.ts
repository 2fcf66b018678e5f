/** Attach combinations of a default run. */
export const DEFAULT_CASES = 8_000;
/** Sequences of client calls of a default run, for each kernel. */
export const DEFAULT_SEQUENCES = 400;

/** The option of a search line that reaches what was drawn as the given number: none within a default run. */
export function boundOption(option: '--cases' | '--sequences', number: number | undefined): string {
  return number === undefined ? '' : ` ${option} ${number}`;
}

/** The number of what was drawn, if a default run does not get to it. */
export function beyondDefault(number: number, most: number): number | undefined {
  return number > most ? number : undefined;
}
