import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { attachcheck, withWholeCommands } from '../../test/console.ts';
import type { AbiLine } from './abi-command.ts';
import { abiCommand } from './abi-command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** `abi` with these options, the others as they are when they are not given. */
const abi = (line: Partial<AbiLine>) =>
  abiCommand({ arch: 'x86-64', kernel: '7.2', boot: 'default', cases: '300', seed: '1', ...line });

describe('bad input is one sentence that names the thing and the place', () => {
  test.each<[Partial<AbiLine>, string]>([
    [{ kinds: 'fentry' }, '--kinds attaches programs to one function: give exactly one --sig'],
    [
      { kinds: 'fentry', sig: ['u64', 'u32'] },
      '--kinds attaches programs to one function: give exactly one --sig',
    ],
    [
      { kinds: 'fentry', sig: ['u64'], arch: 'arm64' },
      '--kinds generates an x86-64 image: not supported on arm64',
    ],
    [
      { sig: ['u64'], law: 'abi/sharing-is-sound' },
      '--law and --planted draw their own functions: drop --sig and --sigs',
    ],
    [
      { sig: ['u64'], livePatch: true },
      '--ibt, --no-ibt, --live-patch and --tail-calls need --kinds: they change the image',
    ],
    [{ sig: ['u64'], arch: 'mips' }, '--arch mips is not known; there are x86-64, arm64, x86-32'],
    [{ sig: ['u128'], arch: 'x86-32' }, 'u128 is no type on x86-32: there is no integer of 128 bits'],
    [{ sigs: 'LICENSE' }, 'LICENSE:1: "MIT License" is not of the form name: signature'],
    [{ law: 'abi/one' }, 'there is no law abi/one; --list names them all'],
    [{ planted: 'nothing' }, 'there is no planted bug nothing; --list names them all'],
    [{ cases: 'few' }, '--cases few is not a whole number from 0 to 1000000'],
  ])('%j', (line, sentence) => {
    expect(() => abi(line)).toThrow(sentence);
  });

  test('on the command line it is that, and exit code 2', async () => {
    const { exit, stdout, stderr } = await attachcheck(['--law', 'abi/sharing-is-sound']);
    expect(stderr).toBe(
      'attachcheck: abi/sharing-is-sound belongs to another command (places of arguments): npm run check -- abi --law abi/sharing-is-sound\n',
    );
    expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
  });

  test('a file without functions, and one with a type that is none', () => {
    const [empty, wrong] = [join(folder, 'empty'), join(folder, 'wrong')];
    writeFileSync(empty, '# nothing\n\n');
    writeFileSync(wrong, 'f: u64\ng: u63\n');
    expect(() => abi({ sigs: empty })).toThrow(new InputError(`${empty}: no function in this file`));
    expect(() => abi({ sigs: wrong })).toThrow(`${wrong}:2: "u63" in "u63" is not a type`);
  });
});

describe('places of arguments', () => {
  test('each kernel says what an image makes of it', () => {
    const { text, exit } = abi({ sig: ['u64, u128, s16b x2, u32 -> u128'], arch: 'arm64' });
    expect(exit).toBe(EXIT.HELD);
    expect(text).toBe(
      [
        'arm64: u64, u128, s16b x2, u32 -> u128',
        '',
        '  argument 1      u64     x0',
        '  argument 2      u128    x2, x3',
        '  argument 3      s16b    x4, x5',
        '  argument 4      s16b    x6, x7',
        '  argument 5      u32     [sp]',
        '  returns         u128    x0, x1',
        '',
        '  6.1             no image: ENOTSUPP',
        '  6.12            an image looks for argument 2 in x1',
        '  7.2             an image looks for argument 2 in x1, x2',
      ].join('\n'),
    );
  });

  test('what x86-64 finds, and what it refuses', () => {
    const said = (signature: string) =>
      abi({ sig: [signature] })
        .text.split('\n\n')
        .at(-1);
    expect(said('u64 x7')).toBe(
      '  6.1             no image: ENOTSUPP\n  6.12, 7.2       an image finds every argument',
    );
    expect(said('u64 x13')).toBe('  6.1, 6.12, 7.2  no image: EINVAL');
    expect(said('u64 x7, u128')).toContain('an image looks for argument 8 in 16(%rsp), 24(%rsp)');
  });

  test('what is copied, and what is returned in memory', () => {
    const { text } = abi({ sig: ['u64, s24b -> s24b'], arch: 'arm64' });
    expect(text).toContain('  argument 2      s24b    a copy, its address in x1\n');
    expect(text).toContain('  returns         s24b    memory, whose address is passed in x8\n');
  });
});

describe('functions of a file', () => {
  const FILE = '# three of them\nsmall: u32\npair: u32, u64   # as in the other\nwide: u64 x2\n';

  test('share trampolines, by name', () => {
    const path = join(folder, 'functions');
    writeFileSync(path, FILE);
    const { text, json } = abi({ sig: ['u32, u64, u8'], sigs: path, arch: 'x86-32' });
    const [numbers, classes] = text.split('\n\n').slice(-2);
    expect(numbers).toMatch(/^x86-32: 4 functions need these numbers of trampolines\n {5}4 .*\n {5}2 .*\n/);
    expect(classes).toBe(
      [
        'where prefixes are enough, an image prepares for',
        '  eax edx:ecx 4(%esp)                         f1 small pair',
        '  eax:edx 4(%esp):8(%esp)                     wide',
      ].join('\n'),
    );
    expect(json['sharing']).toHaveLength(5);
  });
});

describe('the laws', () => {
  test('held for what was drawn', () => {
    const { text, exit } = abi({});
    expect(text).toMatch(
      /^ {2}✓ abi\/argument-locations-are-disjoint\n {6}exercised in [\d.]+ % of sets \(/m,
    );
    expect(text).toContain('  300 sets of functions drawn\n  seed 1');
    expect(exit).toBe(EXIT.HELD);
  });

  test('one that was not exercised is vacuous', () => {
    expect(abi({ cases: '0', law: 'abi/sharing-is-sound' }).exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('a planted bug ends with 1, and a line to paste that finds it again', () => {
    const { text, exit } = abi({ planted: 'plans-compared-by-length', cases: '4000' });
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/^✗ abi\/sharing-is-sound +always$/m);
    expect(withWholeCommands(text)).toContain(
      'npm run check -- abi --law abi/sharing-is-sound --planted plans-compared-by-length --seed 1',
    );
  });

  test('a planted bug that is not found ends with 4', () => {
    const { text, exit } = abi({ planted: 'plans-compared-by-length', cases: '1' });
    expect(text).toContain('? the planted bug plans-compared-by-length was not found');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });
});
