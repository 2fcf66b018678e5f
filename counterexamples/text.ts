/** Columns of a report. */
export const WIDTH = 80;

/** Breaks a text at blanks into lines of at most `width` columns. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A label in its column, and a text that continues below its own start; a word wider than that begins at the left. */
export function labelled(label: string, text: string): string[] {
  const width = WIDTH - LABEL_COLUMNS - INDENT.length;
  return wrap(text, width).flatMap((line, i) => {
    const head = i === 0 ? label : '';
    if (line.length <= width) return [`${INDENT}${head.padEnd(LABEL_COLUMNS)}${line}`.trimEnd()];
    return [...(head === '' ? [] : [INDENT + head]), INDENT + line];
  });
}

const INDENT = '  ';
const LABEL_COLUMNS = 11;

/**
 * A command after a head; a command that is longer than a line continues after a backslash, and can be pasted as it
 * is.
 */
export function commandLines(head: string, command: string): string[] {
  const pieces = command.match(PIECE) ?? [];
  const lines: string[] = [];
  let line = head;
  for (const [i, piece] of pieces.entries()) {
    const end = i === pieces.length - 1 ? '' : CONTINUED;
    const isFirst = line === head || line === FURTHER;
    if (!isFirst && line.length + 1 + piece.length + end.length > WIDTH) {
      lines.push(line + CONTINUED);
      line = FURTHER + piece;
    } else line += isFirst ? piece : ` ${piece}`;
  }
  return [...lines, line];
}

const CONTINUED = ' \\';
const FURTHER = INDENT.repeat(2);

/** A word of a shell, quoted or not; an option has its value beside it. */
const PIECE = /(?:--\S*(?= [^-]) )?(?:'[^']*'|\\.|[^\s'])+/g;

/** Items side by side: a line takes all that fit. */
export function packed(items: readonly string[], indent: string): string[] {
  const lines: string[] = [];
  for (const [i, each] of items.entries()) {
    const text = i < items.length - 1 ? `${each};` : each;
    const latest = lines.at(-1);
    if (latest !== undefined && latest.length + 1 + text.length <= WIDTH)
      lines.splice(-1, 1, `${latest} ${text}`);
    else lines.push(indent + text);
  }
  return lines;
}

/** Column of the answers of calls: the longest one ends with the line. */
const ANSWER_COLUMN = WIDTH - ' = -EOPNOTSUPP'.length;
const CALL_CONTINUED = ' '.repeat(7);

/** A call, continued below its arguments where it is too long, and its answer in a column of its own. */
export function answeredLines(call: string, answer: string): string[] {
  const most = answer === '' ? WIDTH : Math.max(ANSWER_COLUMN, WIDTH - ` = ${answer}`.length);
  const lines: string[] = [];
  let line = call;
  while (line.length > most) {
    const end = line.lastIndexOf(', ', most - 1);
    if (end <= CALL_CONTINUED.length) break;
    lines.push(line.slice(0, end + 1));
    line = CALL_CONTINUED + line.slice(end + 2);
  }
  return [...lines, answer === '' ? line : `${line.padEnd(ANSWER_COLUMN)} = ${answer}`];
}

/** A text at the left edge and one at the right. */
export function spread(left: string, right: string): string {
  return left + right.padStart(Math.max(right.length + 1, WIDTH - left.length));
}

/** A count as it is printed everywhere but in `--json`: `2,684,554`. */
export function count(value: number | bigint): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count and its noun: `1 image`, `1,024 images`. */
export function counted(value: number | bigint, noun: string): string {
  return `${count(value)} ${value === 1 || value === 1n ? noun : pluralOf(noun)}`;
}

/** `images`, `branches`, `histories`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return `${noun}${/[cs]h$/.test(noun) ? 'es' : 's'}`;
}

/**
 * A sentence on an incomplete run: `252 of 601 recordings were compared, 349 were not`; nothing if it was complete.
 */
export function leftOut(noun: string, done: string, { of, left }: { of: number; left: number }): string[] {
  if (left === 0) return [];
  const was = (n: number) => (n === 1 ? 'was' : 'were');
  return [
    `${count(of - left)} of ${counted(of, noun)} ${was(of - left)} ${done}, ${count(left)} ${was(left)} not`,
  ];
}

/** A share in percent with one decimal, as text. */
export function percent(part: number, whole: number): string {
  return `${whole === 0 ? '0.0' : ((100 * part) / whole).toFixed(1)} %`;
}

/** A word for a command line that can be pasted. */
export function shellWord(text: string): string {
  return /^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
