/* For tests: a strict reader of XML without document types, and the rules of the schema of JUnit's files. */

/** An element: its attributes, the elements in it, and its text. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const TOKEN = /<\/([\w.-]+)\s*>|<([\w.-]+)((?:\s+[\w.:-]+\s*=\s*"[^"<]*")*)\s*(\/?)>|((?:(?!\]\]>)[^<])+)/y;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const FOREIGN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;

/** The root of a document; throws an error that names what is not well-formed. */
export function parsedXml(document: string): XmlElement {
  if (FOREIGN.test(document)) throw new Error('a character that XML does not have');
  const text = document.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '').trimEnd();
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const found = TOKEN.exec(text);
    if (found === null) throw new Error(`not XML: ${text.slice(0, 40)}`);
    take(open, found);
  }
  if (open.length > 1) throw new Error(`${open.at(-1)!.name} is not closed`);
  if (top.children.length !== 1) throw new Error('more than one root, or none');
  return top.children[0]!;
}

function take(open: XmlElement[], [, end, start, attributes = '', isEmpty, text]: RegExpExecArray): void {
  const inner = open.at(-1)!;
  if (text !== undefined) inner.text += decoded(text);
  else if (end !== undefined) {
    if (inner.name !== end) throw new Error(`${end} closes ${inner.name}`);
    open.pop();
  } else {
    const element = { name: start!, attributes: attributesIn(attributes), children: [], text: '' };
    inner.children.push(element);
    if (isEmpty === '') open.push(element);
  }
}

function attributesIn(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name, value] of text.matchAll(/([\w.:-]+)\s*=\s*"([^"]*)"/g)) {
    if (name! in attributes) throw new Error(`${name} is there twice`);
    // A parser reads the end of a line in a value as a blank.
    attributes[name!] = decoded(value!.replaceAll(/[\t\n\r]/g, ' '));
  }
  return attributes;
}

function decoded(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (whole, name: string) => {
    if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)));
    const entity = ENTITIES[name];
    if (entity === undefined) throw new Error(`no entity ${whole}`);
    return entity;
  });
}

/** The elements that each may have in it, and the attributes that it must have and may have. */
const SCHEMA: Readonly<
  Record<string, { inner: readonly string[]; must: readonly string[]; may: readonly string[] }>
> = {
  testsuites: {
    inner: ['testsuite'],
    must: [],
    may: ['name', 'time', 'tests', 'failures', 'errors', 'disabled'],
  },
  testsuite: {
    inner: ['properties', 'testcase', 'system-out', 'system-err'],
    must: ['name', 'tests'],
    may: ['failures', 'errors', 'skipped', 'time', 'timestamp', 'hostname', 'id', 'package'],
  },
  properties: { inner: ['property'], must: [], may: [] },
  property: { inner: [], must: ['name', 'value'], may: [] },
  testcase: {
    inner: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    must: ['name', 'classname'],
    may: ['time', 'file', 'assertions', 'status'],
  },
  failure: { inner: [], must: [], may: ['message', 'type'] },
  error: { inner: [], must: [], may: ['message', 'type'] },
  skipped: { inner: [], must: [], may: ['message'] },
};

/** What a document has against the schema that CI systems share, and counts that are not right. */
export function junitProblems(root: XmlElement): string[] {
  if (root.name !== 'testsuites') return [`the root is ${root.name}`];
  return [...root.children.flatMap(countProblems), ...elementProblems(root)];
}

function elementProblems(element: XmlElement): string[] {
  const { name, attributes, children } = element;
  const title = [name, ...(attributes['name'] === undefined ? [] : [attributes['name']])].join(' ');
  const rules = SCHEMA[name];
  if (rules === undefined) return [`${title} is no element`];
  const places = children.map((child) => rules.inner.indexOf(child.name));
  const must = rules.must.filter((key) => !(key in attributes)).map((key) => `${title} has no ${key}`);
  const foreign = Object.keys(attributes).filter((key) => ![...rules.must, ...rules.may].includes(key));
  return [
    ...must,
    ...foreign.map((key) => `${title} has ${key}`),
    ...children.filter((_, i) => places[i] === -1).map((child) => `${child.name} is in ${title}`),
    ...(places.every((place, i) => i === 0 || places[i - 1]! <= place) ? [] : [`${title}: out of order`]),
    ...children.flatMap(elementProblems),
  ];
}

function countProblems(suite: XmlElement): string[] {
  const cases = suite.children.filter(({ name }) => name === 'testcase');
  const having = (name: string) => cases.filter(({ children }) => children.some((own) => own.name === name));
  const counts = {
    tests: cases.length,
    failures: having('failure').length,
    errors: having('error').length,
    skipped: having('skipped').length,
  };
  return Object.entries(counts)
    .filter(([key, number]) => suite.attributes[key] !== String(number))
    .map(
      ([key, number]) =>
        `testsuite ${suite.attributes['name']}: ${key} is ${suite.attributes[key]}, and there are ${number}`,
    );
}
