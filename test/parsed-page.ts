import { expect } from 'vitest';
import type { Answer } from '../counterexamples/answer.ts';
import type { XmlElement } from './parsed-xml.ts';
import { parsedXml } from './parsed-xml.ts';

/* For tests: the page of an answer, held against what every page without a program keeps. */

const MOST = 250_000;

/** A page as its elements, and what it says. */
export interface ReadPage {
  readonly body: XmlElement;
  /** The text of each element, on lines of its own. */
  readonly text: string;
  /** The cells of all rows of all tables. */
  readonly rows: readonly (readonly string[])[];
}

/** The one page among the files of an answer, which is complete: it loads nothing, and all its links end in it. */
export function readPage({ files = [] }: Answer): ReadPage {
  const [asked] = files;
  if (files.length !== 1 || asked === undefined || !('content' in asked)) throw new Error('not one page');
  const { content } = asked;
  expect(content.length).toBeLessThan(MOST);
  expect(content).not.toMatch(/http(?!-equiv)|<script|\ssrc=|@import|url\(/);
  expect(content.match(/^<!doctype html>\n<html lang="en">\n<head>\n[\s\S]*<\/head>\n<body>/)).not.toBeNull();
  const body = parsedXml(/<body>[\s\S]*<\/body>/.exec(content)![0]);
  const all = elementsIn(body);
  const ids = all.flatMap(({ attributes }) => attributes['id'] ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { name, attributes } of all)
    if (name === 'a') expect(ids.map((id) => `#${id}`)).toContain(attributes['href']);
  const rows = all.filter(({ name }) => name === 'tr').map(({ children }) => children.map(textIn));
  return { body, text: all.map(({ text }) => text).join('\n'), rows };
}

/** An element, and all in it, in order. */
export function elementsIn(element: XmlElement): XmlElement[] {
  return [element, ...element.children.flatMap(elementsIn)];
}

/** The text of an element; its own precedes that of the elements in it. */
function textIn(element: XmlElement): string {
  return elementsIn(element)
    .map(({ text }) => text)
    .join('');
}
