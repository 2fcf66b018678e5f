/*
 * What a pattern of `set_ftrace_filter` means, as Documentation/trace/ftrace.rst has it: `*` is any characters, `?` is one.
 * The kernel's own matcher is not read here: the contract is what that has to keep.
 */

/** Whether a name matches a pattern. */
export function fits(pattern: string, name: string): boolean {
  const wanted = pattern.replace(/\*+/g, '*');
  // Where in the pattern a match of what was read may continue.
  let places = behindStars(wanted, new Set([0]));
  for (const character of name) {
    const next = new Set<number>();
    for (const place of places) {
      if (wanted[place] === '*') next.add(place);
      else if (wanted[place] === '?' || wanted[place] === character) next.add(place + 1);
    }
    places = behindStars(wanted, next);
  }
  return places.has(wanted.length);
}

/** A star also matches nothing. */
function behindStars(wanted: string, places: ReadonlySet<number>): Set<number> {
  return new Set([...places].flatMap((place) => (wanted[place] === '*' ? [place, place + 1] : [place])));
}
