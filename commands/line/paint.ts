/** Colours by the glyph, or the word that a line starts with; they only repeat what the text says. */
const COLOURS: Readonly<Record<string, number>> = { '✓': 32, '✗': 31, '?': 33, '≠': 33, known: 33, '▶': 36 };

const BOLD = 1;

/** A text for a terminal that shows colours: marks of verdicts, also in tables, and the law after such a mark. */
export function paint(text: string): string {
  return text
    .replace(/(?<=^ *[✓✗?≠] )[a-z]+\/[a-z0-9-]+(?=[ ,:]|$)/gmu, (law) => styled(law, BOLD))
    .replace(/^( *)(\?|known)(?= )/gmu, (_, indent: string, word: string) => indent + coloured(word))
    .replace(/(?<=^| )[✓✗≠▶](?= |$)/gmu, coloured);
}

/** A heading of a help. */
export function heading(text: string): string {
  return styled(text, BOLD);
}

function coloured(mark: string): string {
  return styled(mark, COLOURS[mark] ?? BOLD);
}

function styled(text: string, style: number): string {
  return `\x1b[${style}m${text}\x1b[0m`;
}
