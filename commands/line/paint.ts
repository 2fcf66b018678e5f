/** Colours by the glyph or word that a line starts with; they only repeat what the text says. */
const COLOURS: Readonly<Record<string, number>> = { '✓': 32, '✗': 31, '?': 33, '≠': 33, known: 33, '▶': 36 };

/** A text for a terminal that shows colours. */
export function paint(text: string): string {
  return text.replace(/^( *)([✓✗?≠▶]|known)(?= )/gmu, (_, indent: string, glyph: string) => {
    return `${indent}\x1b[${COLOURS[glyph]}m${glyph}\x1b[0m`;
  });
}
