import { createHash } from 'node:crypto';

/** A text between tags. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The parts of a page that has no other file, and asks for none. */
export interface PageParts {
  readonly title: string;
  readonly style: string;
  /** HTML of the body. */
  readonly body: string;
  /** The text of a module; undefined: the page does nothing. */
  readonly script?: string;
}

/** A whole document; its policy allows the style and the script that it has, and what that script unpacks. */
export function htmlPage({ title, style, body, script }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `style-src '${digestOf(style)}'`,
    ...(script === undefined ? [] : [`script-src '${digestOf(script)}' blob:`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    body,
    ...(script === undefined ? [] : [`<script type="module">${script}</script>`]),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** As a policy names an element's text. */
function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
