/**
 * A line of a program as a user has written it, with blanks where `printAction()` puts them: those at brackets, commas and
 * equals signs are a matter of taste.
 */
export function spacedAsPrinted(line: string): string {
  return line
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^([^(=]+?) ?= ?(?=[A-Za-z_]\w*\b ?\()/, '$1 = ')
    .replace(/\b(?<!#|^the (?:next|\d+[a-z]+) .*)([A-Za-z_]\w*) \(/g, '$1(')
    .replace(/([([]) /g, '$1')
    .replace(/ ([)\]])/g, '$1')
    .replace(/\{ ?/g, '{ ')
    .replace(/ ?\}/g, ' }')
    .replace(/ ?, ?/g, ', ')
    .replace(/ ?\| ?/g, ' | ')
    .replace(/ ?: ?/g, ': ')
    .replace(/\) ?= ?(?=\S+$)/, ') = ');
}
