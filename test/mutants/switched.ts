/** An expression, and what takes its place, by the number of its switch. */
interface Switch {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

/** The constants that switched files read: the mutant that is on, and the marks of those that were come to. */
export const SWITCH = '__mutant';
export const MARKS = '__reached';

/**
 * The text of a file with its mutants, each with a switch. With marks an expression that is computed notes the
 * number of its mutant as well. An expression comes before those in it.
 */
export function switched(text: string, mutants: readonly Switch[], marks: boolean): string {
  let next = 0;
  const between = (start: number, end: number): string => {
    let result = '';
    let place = start;
    for (let mutant = mutants[next]; mutant !== undefined && mutant.end <= end; mutant = mutants[next]) {
      next++;
      const mark = marks ? `${MARKS}[${mutant.number}] = 1, ` : '';
      const own = between(mutant.start, mutant.end);
      const choice = `(${mark}${SWITCH} === ${mutant.number} ? ${mutant.to} : ${own})`;
      result += text.slice(place, mutant.start) + choice;
      place = mutant.end;
    }
    return result + text.slice(place, end);
  };
  return between(0, text.length);
}
