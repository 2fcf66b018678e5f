/**
 * filter_parse_regex() and glob_match(), for `*` and `?`. Its short forms (`f*`, `*f`, `*f*`) match what the glob
 * matches; a pattern that begins with a digit is an index, and is not modelled.
 */
export function globMatches(glob: string, name: string): boolean {
  let star = -1;
  let resumed = 0;
  let i = 0;
  for (let j = 0; j < name.length; ) {
    if (glob[i] === '*') {
      star = i++;
      resumed = j;
    } else if (i < glob.length && (glob[i] === '?' || glob[i] === name[j])) {
      i++;
      j++;
    } else if (star >= 0) {
      // The last `*` takes one character more: those before it need no other try.
      i = star + 1;
      j = ++resumed;
    } else return false;
  }
  return /^\**$/.test(glob.slice(i));
}

export function isPattern(glob: string): boolean {
  return /[*?]/.test(glob);
}
