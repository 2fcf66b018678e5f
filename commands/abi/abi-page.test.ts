import { describe, expect, test } from 'vitest';
import { InputError } from '../../model/core/input-error.ts';
import { readPage } from '../../test/parsed-page.ts';
import type { AbiLine } from './abi-command.ts';
import { abiCommand } from './abi-command.ts';

/** It is not written here. */
const html = 'page.html';

const LINE: AbiLine = { html, arch: 'x86-64', cases: '1', seed: '1', kernel: '6.12', boot: 'default' };

function asked(sig: string, kinds: string) {
  return abiCommand({ ...LINE, sig: [sig], kinds });
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

describe.each([
  ['u64 x6, s16b, u32 -> u64', 'fexit'],
  ['u64, u128 -> u32', 'fentry cookie=0x1, fmod_ret, fexit get_func_ip'],
])('the page of f(%s) with %s', (sig, kinds) => {
  const answer = asked(sig, kinds);
  const { text, rows } = readPage(answer);

  test('has the verdict, and a row for each argument word, each word of the frame and each instruction', () => {
    const lines = answer.text.split('\n');
    const code = lines
      .filter((line) => /^ {2}tramp#1\+0x/.test(line))
      .map((line) => words(line.replace('  # ', ' ')));
    const told = rows.map(([place, ...cells]) => words([place, ...cells].join(' ')));
    const listed = rows.filter(([place]) => place!.startsWith('tramp#1+'));
    expect(listed.map(([place, , instruction, role]) => words(`${place} ${instruction} ${role}`))).toEqual(
      code,
    );
    const frame = lines.filter((line) => /^ {4} *[−+]?\d+ {3}/.test(line));
    expect(frame.length).toBeGreaterThan(5);
    for (const line of frame) expect(told).toContain(words(line));
    for (const line of lines.filter((line) => line.startsWith('    ctx[')))
      expect(told.some((row) => row.startsWith(words(line).replace(/, the image.*/, '')))).toBe(true);
    expect(text).toContain(lines[1]);
  });

  test('has all bytes of the image', () => {
    const bytes = rows.flatMap(([place, own = '']) => (place!.startsWith('tramp#1+') ? own.split(' ') : []));
    expect(bytes.join('')).toBe(answer.json['bytes']);
  });
});

test('without an image there is no page, and a reason', () => {
  const { files } = abiCommand({ ...LINE, kernel: '6.1', sig: ['u64 x9'], kinds: 'fentry' });
  expect(files).toEqual([{ file: html, why: 'there is no image to draw' }]);
});

test('without programs there is nothing to draw', () => {
  expect(() => abiCommand({ ...LINE, sig: ['u64'] })).toThrow(InputError);
  expect(() => abiCommand(LINE)).toThrow('--html draws an image: it needs --kinds');
});
