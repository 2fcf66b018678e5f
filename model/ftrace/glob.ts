/**
 * filter_parse_regex() and glob_match(), for `*` and `?`. Its short forms (`f*`, `*f`, `*f*`) match what the glob
 * matches; a pattern that begins with a digit is an index, and is not modelled.
 */
export function globMatches(glob: string, name: string): boolean {
  return new RegExp(`^${glob.replace(/\*/g, '.*').replace(/\?/g, '.')}$`).test(name);
}

export function isPattern(glob: string): boolean {
  return /[*?]/.test(glob);
}
