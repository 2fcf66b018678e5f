import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { rewriteTable } from '../line/rewrite-table.ts';
import { listedNames } from './listed-names.ts';
import { OWN_NAMES } from './own-names.ts';

const { file } = scratch();
const TABLE = new URL('own-names.ts', import.meta.url);

test('the names that are listed beforehand are those of the lists', () => {
  const now = listedNames();
  if (process.env['UPDATE'] === '1')
    rewriteTable(TABLE, 'export const OWN_NAMES: CompletedNames = ', JSON.stringify(now));
  else expect(OWN_NAMES).toEqual(now);
});

/** Command lines with the word that is being typed at the end, and what bash offers for it. */
const TYPED: readonly (readonly [readonly string[], readonly string[]])[] = [
  [['mat'], ['matrix']],
  [['explore', '--planted', 'no-sync-after-i'], ['no-sync-after-int3']],
  [['--law', 'task/a,trampoline/stack-is'], ['task/a,trampoline/stack-is-aligned']],
  [['cost', 'a.json', '--format', '=', 'c'], ['csv']],
  [['compare', '--designs', 'single\\ l'], ['single\\ links']],
  [['matrix', '--pl'], ['--planted']],
  [['explore', '--cpus', ''], []],
  [['--kernel', 'bat'], ['batch']],
];

test('bash completes commands, options and their values', async () => {
  const { stdout } = await attachcheck(['completion', 'bash']);
  const calls = TYPED.map(([words]) => {
    const all = ['attachcheck', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _attachcheck; (IFS='|'; echo "\${COMPREPLY[*]}")`;
  });
  const script = file('completion.bash', [stdout, ...calls].join('\n'));
  const offered = execFileSync('bash', ['--norc', script], { encoding: 'utf8' }).trimEnd().split('\n');
  expect(offered).toEqual(TYPED.map(([, all]) => all.join('|')));
});

test.each([
  ['zsh', /^ +'explore --law'\) _sequence compadd - .*task\/no-torn-instruction.*; return ;;$/m],
  [
    'fish',
    /^complete -c attachcheck -n '__fish_seen_subcommand_from explore' -l law -x -a .*task\/no-torn-instruction/m,
  ],
])('%s gets the same names', async (shell, line) => {
  expect((await attachcheck(['completion', shell])).stdout).toMatch(line);
});

test('of another shell there is none', async () => {
  const { stderr } = await attachcheck(['completion', 'tcsh']);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
