import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { firstRecording } from '../../test/recorded.ts';
import { scratch } from '../../test/scratch.ts';

const { file } = scratch();

describe('a supplied image', () => {
  const record = JSON.parse(firstRecording());
  const hex: string = record.image_hex;
  const options = ['--sig', '-> u64', '--kinds', 'fentry', '--kernel', '6.1'];
  const names = Object.entries<string>(record.symbols).map(([site, name]) => [
    site,
    name.startsWith('bpf_prog_') ? 'prog#1' : name,
  ]);
  const SYMBOLS = {
    image: record.image_addr,
    function: record.func_addr,
    symbols: Object.fromEntries(names),
  };
  const judge = (image: string, symbols: unknown = SYMBOLS) =>
    attachcheck(['image', image, '--symbols', file('symbols.json', JSON.stringify(symbols)), ...options]);

  test.each([
    ['raw bytes', Buffer.from(hex, 'hex')],
    ['raw bytes and the unused rest of the page', Buffer.from(hex.padEnd(8192, 'cc'), 'hex')],
    ['hexadecimal digits', hex],
    ['digits in lines with spaces', hex.replace(/../g, '$& ').replace(/(.{48})/g, '$1\n')],
    ['a C array', hex.replace(/../g, '0x$&, ')],
    ['a C string', hex.replace(/../g, '\\x$&')],
  ])('%s', async (_, content) => {
    const { exit, stdout } = await judge(file('image', content));
    expect(stdout).toMatch(/the model generates the same bytes\n✓ holds for all argument values \(2 paths/);
    expect(exit).toBe(EXIT.HELD);
  });

  test('a law that it breaks is reported with the place, and the command to paste', async () => {
    // The store of the return address's neighbour: -0x8(%rbp) becomes +0x8(%rbp).
    const { exit, stdout } = await judge(file('image', hex.replace('488945f8', '48894508')));
    expect(stdout).toContain('✗ trampoline/stores-stay-in-the-frame');
    expect(stdout).toMatch(/▶ tramp#1\+0xb +mov +%rax,0x8\(%rbp\)/);
    expect(stdout).toMatch(/replay {5}npm run check -- image /);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test('an instruction that is not modelled ends with 3', async () => {
    const { exit, stderr } = await judge(file('image', hex.replace('488945f8', '0faef090')));
    expect(stderr).toBe('attachcheck: unsupported instruction 0f ae f0 (mfence) at tramp#1+0xb\n');
    expect(exit).toBe(EXIT.FAILED);
  });

  test.each([
    ['an odd digit', `${hex}0`, SYMBOLS, 'an odd number of hexadecimal digits'],
    ['an empty file', '', SYMBOLS, 'empty file'],
    ['symbols without the image', hex, { ...SYMBOLS, image: undefined }, 'field image is missing'],
    [
      'an unknown symbol',
      hex,
      { ...SYMBOLS, symbols: { '0x1': 'vfs_read' } },
      'vfs_read is unknown; known are prog#1',
    ],
    [
      'a call to nowhere',
      hex,
      { ...SYMBOLS, symbols: {} },
      /tramp#1\+0x23 branches to 0x\w+, which has no name in /,
    ],
    ['a field that is not known', hex, { ...SYMBOLS, base: '0x1' }, 'base'],
  ])('%s is named', async (_, content, symbols, sentence) => {
    const { exit, stderr } = await judge(file('image', content), symbols);
    expect(stderr).toMatch(sentence);
    expect(exit).toBe(EXIT.USAGE);
  });
});
