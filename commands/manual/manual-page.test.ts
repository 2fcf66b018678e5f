import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { QUIET } from '../../test/console.ts';
import { TOP, version } from '../line/project.ts';
import { declared } from '../line/run.ts';
import type { ManualTexts } from './manual-page.ts';
import { manualPage } from './manual-page.ts';

const PAGE = join(TOP, 'man/attachcheck.1');

const cli = declared([], { ...QUIET, name: 'attachcheck' }, () => Promise.reject(new Error('none is run')));
const page = manualPage(cli, texts());

/** What the page has from the documents. */
function texts(): ManualTexts {
  const read = (path: string) => readFileSync(join(TOP, path), 'utf8');
  const { description } = JSON.parse(read('package.json')) as { description: string };
  const [, about = ''] = read('README.md').split('\n\n');
  const [, codes = ''] = read('docs/reading-a-report.md').split('## Exit codes\n');
  const exits = [...codes.split('\n## ')[0]!.matchAll(/^\| (\d[\d, ]*) \| (.*) \|$/gm)].map(
    ([, code, text]) => [code!, text!] as const,
  );
  expect(exits.length).toBeGreaterThan(5);
  const help = '`attachcheck help COMMAND` prints the options of one command, with examples.';
  return { version: version(), description, about: [about.replaceAll('\n', ' '), help], exits };
}

test('the manual page is the one that the declared commands make (UPDATE=1 writes it)', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('it has every section, command and option', () => {
  const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, name]) => name);
  expect(sections).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'OPTIONS',
    'COMMANDS',
    'EXIT STATUS',
    'ENVIRONMENT',
    'FILES',
    'EXAMPLES',
    'SEE ALSO',
  ]);
  const plain = page.replaceAll(/\\f[BIR]/g, '').replaceAll('\\-', '-');
  expect(cli.commands.length).toBeGreaterThan(20);
  for (const { options } of [cli, ...cli.commands])
    for (const { flags } of options) expect(plain).toContain(flags);
  for (const command of cli.commands) expect(plain).toMatch(new RegExp(`^\\.SS ${command.name()}( |$)`, 'm'));
});

test('it is set without a warning; where groff is not installed, only its requests are known', () => {
  const set = spawnSync('groff', ['-man', '-Tutf8', '-Kutf8', '-ww', '-z'], {
    input: page,
    encoding: 'utf8',
  });
  if (set.error === undefined) expect([set.status, set.stderr]).toEqual([0, '']);
  const requests = new Set([...page.matchAll(/^[.'](\w+)/gm)].map(([, request]) => request));
  expect([...requests].sort()).toEqual(['PP', 'SH', 'SS', 'TH', 'TP', 'br', 'fi', 'nf']);
});

test('no text of it is read as a request, or as an escape', () => {
  expect(page.replaceAll(/\\(?:f[BIR]|e|-|&|\((?:aq|ga|dq|ha|ti))/g, '')).not.toContain('\\');
});
