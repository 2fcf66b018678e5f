/** Characters that roff would read as its own, or set as another character than the one that is typed. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '"': '\\(dq',
  '^': '\\(ha',
  '~': '\\(ti',
};

/** A text as it is set, whatever is in it. */
export function roff(text: string): string {
  const escaped = text.replaceAll(/[\\\-'`"^~]/g, (character) => ESCAPES[character] ?? character);
  return escaped.replaceAll(/^\./gm, '\\&.');
}

export function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** A usage, whose placeholders, `<file>` or `[file]`, are in italics. */
export function usage(text: string): string {
  return text
    .split(/(<[^>]+>|\[[^\]]+\])/)
    .map((part) => (/^[<[]/.test(part) ? `\\fI${roff(part)}\\fR` : part === '' ? '' : bold(part)))
    .join('');
}

/** A paragraph of Markdown: code in bold, of a link its text. */
export function fromMarkdown(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('\\|', '|')
    .split('`')
    .map((part, i) => (i % 2 === 1 ? bold(part) : roff(part)))
    .join('');
}

/** A term, and the paragraph that explains it below. Both are roff. */
export function tagged(term: string, text: string): string[] {
  return ['.TP', term, text];
}

export function section(name: string, lines: readonly string[]): string[] {
  return [`.SH ${name}`, ...lines];
}
