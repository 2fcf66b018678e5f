import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ABI_LAWS } from '../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { ABI_PLANTED } from '../properties/planted/arguments/abi.ts';
import { PLANTED } from '../properties/planted/images/all.ts';
import { TASK_PLANTED } from '../properties/planted/interleavings/all.ts';
import { ATTACH_PLANTED } from '../properties/planted/sequences/all.ts';
import { PLANTED_STUBS } from '../properties/planted/stubs/stubs.ts';
import { TASK_LAWS } from '../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS, TRACEPOINT_TASK_LAWS } from '../properties/tracepoint-laws.ts';
import { attachcheck } from './console.ts';
import { sources, TOP } from './sources.ts';

const DOCUMENTS = sources('.md');

/** The anchors of a document's headings, as GitHub makes them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** A law of either board, and a planted bug. */
type Listed = Pick<AttachLaw, 'name' | 'sentence' | 'source' | 'witness'>;
interface Bug {
  readonly name: string;
  readonly law: Listed;
}

describe('the documents', () => {
  test.each(
    DOCUMENTS.flatMap(({ path, text }) => {
      const links = [...text.matchAll(/\]\(([^)#\s]*)(?:#[^)\s]*)?\)/g)].map(([, link]) => link!);
      return links.filter((link) => link !== '' && !/^[a-z]+:/.test(link)).map((link) => [path, link]);
    }),
  )('%s links to %s, which is there', (path, link) => {
    expect(existsSync(join(TOP, dirname(path), link))).toBe(true);
  });

  test('a link to a heading finds it', () => {
    const headings = new Map(DOCUMENTS.map(({ path, text }) => [path, headingsOf(text)]));
    const missing = DOCUMENTS.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)#\s]*\.md)?#([^)\s]*)\)/g)].flatMap(([link, file, heading]) => {
        const target = file === undefined ? path : join(dirname(path), file);
        return headings.get(target)?.includes(heading!) === true ? [] : [`${path}: ${link}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  test('the README takes two screens', () => {
    const { text } = DOCUMENTS.find(({ path }) => path === 'README.md')!;
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(200);
    expect(Buffer.byteLength(text)).toBeLessThan(12_000);
    expect(lines.filter((line) => line.length > 130)).toEqual([]);
  });

  test('every command has a page, which the list of commands links to', async () => {
    const { stdout } = await attachcheck(['--help']);
    const names = [...stdout.slice(stdout.indexOf('\nCommands:')).matchAll(/^ {2}([a-z]+) \[/gm)];
    const commands = names.map(([, name]) => name!).filter((name) => name !== 'help');
    expect(commands.length).toBeGreaterThan(10);
    const { text } = DOCUMENTS.find(({ path }) => path === 'docs/commands/README.md')!;
    for (const name of commands) expect(text).toContain(`(${name}.md)`);
  });

  test('every npm script that a document names exists', () => {
    const { scripts } = JSON.parse(sources('package.json').find(({ path }) => path === 'package.json')!.text);
    const named = DOCUMENTS.flatMap(({ text }) =>
      [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => name!),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(scripts).toHaveProperty(name);
  });

  test("the model's table names every file of it, or its directory", () => {
    const { text } = DOCUMENTS.find(({ path }) => path === 'model/README.md')!;
    const files = sources('.ts').filter(({ path }) => /^model\/.*(?<!\.test)\.ts$/.test(path));
    expect(files.length).toBeGreaterThan(100);
    const named = (path: string) =>
      text.includes(basename(path)) || text.includes(`\`${dirname(path).replace('model/', '')}/\``);
    expect(files.map(({ path }) => path).filter((path) => !named(path))).toEqual([]);
  });

  test.each<[string, readonly Listed[], readonly Bug[]]>([
    ['images', IMAGE_LAWS, PLANTED],
    ['sequences', ATTACH_LAWS, ATTACH_PLANTED],
    ['arguments', ABI_LAWS, ABI_PLANTED],
    [
      'tracepoints',
      [...STUB_LAWS, ...HIT_LAWS, ...TRACEPOINT_TASK_LAWS],
      [...PLANTED_STUBS, ...ATTACH_PLANTED, ...TASK_PLANTED],
    ],
    ['interleavings', TASK_LAWS.filter(({ name }) => name.startsWith('task/')), TASK_PLANTED],
  ])(
    'the table of laws on %s has every law, with its sentence, source and planted bugs',
    (subject, laws, bugs) => {
      const { text } = DOCUMENTS.find(({ path }) => path === 'properties/README.md')!;
      const section =
        subject === 'images' ? text : text.slice(text.search(new RegExp(`^## Laws o[fn] ${subject}`, 'm')));
      const rows = section
        .slice(0, section.indexOf('\n## ', 1))
        .split('\n')
        .filter((line) => line.startsWith('| ['));
      const expected = laws.map((law) => {
        const short = basename(law.name);
        const planted = bugs.filter((bug) => bug.law === law).map(({ name }) => name);
        expect(planted, `planted bugs of ${law.name}`).not.toEqual([]);
        const source = law.source.replaceAll('  ', ' ');
        return `| [${short}](${law.name}.ts) | ${law.sentence} | \`${source}\` | ${planted.join(', ')} | ${law.witness} |`;
      });
      expect(rows.map((row) => row.replace(/ [0-9.]+ % \|$/, ''))).toEqual(expected);
    },
  );
});
