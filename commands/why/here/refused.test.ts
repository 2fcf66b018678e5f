import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changed, MACHINES } from '../../../test/captured-machines.ts';
import { attachcheck } from '../../../test/console.ts';
import { scratch } from '../../../test/scratch.ts';

const FUNCTION = 'security_ac_f1';
const { path: pathOf } = scratch();

describe('a machine that cannot be read is refused in one sentence', () => {
  const ENABLED = 'sys/kernel/tracing/enabled_functions';
  test.each([
    [{ [ENABLED]: undefined }, FUNCTION, `${ENABLED}: there is no such file: tracefs is not mounted (`],
    [
      { [ENABLED]: `${FUNCTION} (1) R\nfoo (x)\n` },
      FUNCTION,
      `${ENABLED}: line 2, column 1: "foo (x)" is no line`,
    ],
    [
      { 'sys/kernel/debug/kprobes/list': 'garbage\n' },
      FUNCTION,
      'kprobes/list: line 1, column 1: "garbage" is no line',
    ],
    [
      { 'bpftool-link.json': '[{"id":7,\n' },
      FUNCTION,
      'bpftool-link.json: line 2: it is no JSON, damaged or cut off',
    ],
    [
      { 'bpftool-link.json': '[{"id":"x"}]' },
      FUNCTION,
      'bpftool-link.json: field 0.id: expected number, received string',
    ],
    [{ 'proc/sys/kernel/osrelease': 'x\n' }, FUNCTION, 'osrelease: line 1: "x" is no release of Linux'],
    [
      {},
      'security_ac_g1x',
      'security_ac_g1x: ftrace has no function of that name in available_filter_functions',
    ],
    [
      { 'sys/kernel/tracing/available_filter_functions': 'f\nf [m]\n' },
      'f',
      'several functions are called f: there are f, m:f',
    ],
  ] as const)('%j', async (files, asked, sentence) => {
    const root = changed(pathOf('damaged'), 'program', files);
    const { exit, stderr } = await attachcheck(['why', '--here', asked, '--root', root]);
    expect(exit).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('options of other questions', async () => {
    const told = async (...words: readonly string[]) => (await attachcheck(['why', ...words])).stderr;
    expect(await told('EBUSY', '--root', 'x')).toContain(
      '--root is the folder of a machine: it needs --here',
    );
    expect(await told('--here', 'f', 'a.trace')).toContain('--here takes one function');
    expect(await told('--here', 'f', '--step', '2')).toContain('--step needs the file of a sequence');
    expect(await told('--here', FUNCTION, '--root', join(MACHINES, 'post'), '--kernel', '5')).toContain(
      '--kernel 5 is not known',
    );
  });
});
