/** Characters that a terminal obeys instead of showing them: controls except the end of a line, and changes of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const OBEYED = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A word longer than any name: a damaged file. */
const ENDLESS = /\S{401,}/g;
const SHOWN = 100;

/** A text as it is printed: input that it quotes cannot steer the terminal, nor flood it. */
export function visible(text: string): string {
  return text
    .replace(OBEYED, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replace(ENDLESS, (word) => `${word.slice(0, SHOWN)}… (${word.length} characters)`);
}
