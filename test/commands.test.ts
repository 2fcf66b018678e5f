import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../conformance/files.ts';
import { EXIT } from '../counterexamples/answer.ts';
import { attachcheck } from './console.ts';
import { TOP } from './sources.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const TRACE = 'counterexamples/corpus/trampoline/only-moves-arguments.null-argument-shortcut.trace';

describe('exit codes and streams', () => {
  test('what holds ends with 0, the result on stdout and nothing on stderr', () => {
    const { exit, stdout, stderr } = attachcheck(['--law', 'trampoline/stack-is-aligned', '--cases', '500']);
    expect(exit).toBe(EXIT.HELD);
    expect(stdout).toMatch(/^✓ trampoline\/stack-is-aligned/);
    expect(stderr).toBe('');
  });

  test('a planted bug ends with 1 and a report that ends with a line to paste', () => {
    const { exit, stdout } = attachcheck(['--planted', 'rbx-not-restored']);
    expect(exit).toBe(EXIT.BROKEN);
    expect(stdout).toMatch(/ {2}search {5}npm run check -- --law .* --planted rbx-not-restored --seed 1\n/);
  });

  test('a law that was never put to the test is vacuous, and ends with 4', () => {
    const { exit, stdout } = attachcheck([
      '--law',
      'trampoline/session-cookie-is-its-own',
      '--cases',
      '1',
      '--seed',
      '1',
    ]);
    expect(stdout).toMatch(/^\? .*vacuous/m);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('a planted bug that is not found ends with 4', () => {
    const { exit, stdout } = attachcheck(['--planted', 'padding-forgotten', '--cases', '0']);
    expect(stdout).toContain('? the planted bug padding-forgotten was not found');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('the same seed prints the same bytes, another seed others', () => {
    const run = (seed: string) =>
      attachcheck(['--cases', '400', '--law', 'trampoline/image-is-pinned', '--seed', seed]);
    expect(run('3').stdout).toBe(run('3').stdout);
    expect(run('3').stdout).not.toBe(run('4').stdout);
  });

  test('colour is only where it is asked for, and says nothing that the text does not', () => {
    const plain = attachcheck(['replay', TRACE]).stdout;
    const colour = attachcheck(['replay', TRACE], { FORCE_COLOR: '1' }).stdout;
    const code = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
    expect(plain).not.toMatch(code);
    expect(colour).toMatch(code);
    expect(colour.replace(code, '')).toBe(plain);
  });

  test('--save writes the trace that replays', () => {
    const before = readFileSync(join(TOP, TRACE), 'utf8');
    const { stderr } = attachcheck(['--planted', 'null-argument-shortcut', '--save']);
    expect(stderr).toBe(`saved ${TRACE}\n`);
    expect(readFileSync(join(TOP, TRACE), 'utf8')).toBe(before);
  });
});

describe('bad input is one sentence that names the thing and the place', () => {
  test.each([
    [
      ['frobnicate'],
      'there is no command frobnicate; there are images, sequences, abi, image, replay, explain, explore, compare, cost, refine',
    ],
    [['--frobnicate'], "unknown option '--frobnicate'"],
    [['--law', 'nothing'], 'there is no law nothing; --list names them all'],
    [['--planted', 'nothing'], 'there is no planted bug nothing; --list names them all'],
    [['--seed', 'one'], '--seed one is not a whole number from 0 to 4294967295'],
    [['--cases', '-1'], '--cases -1 is not a whole number from 0 to 1000000000'],
    [
      ['--law', 'task/no-torn-instruction'],
      'task/no-torn-instruction is about interleavings: npm run check -- explore --law task/no-torn-instruction',
    ],
    [['explore', '--only', 'fly f1'], 'there is no scenario of fly f1; there are attach f1, attach f1; '],
    [['explore', '--tasks', '1'], '--tasks 1 is less than 2'],
    [['explore', '--cpus', '9'], '--cpus 9 is not a whole number from 0 to 8'],
    [['explore', '--operations', '4'], '--operations 4 is not known; there are 2, 3'],
    [['explore', '--law', 'ftrace/one'], 'there is no law ftrace/one; --list names them all'],
    [['explore', '--resume', 'gone'], 'gone: there is no such checkpoint'],
    [
      ['explore', '--resume', 'README.md'],
      'README.md: it is no checkpoint of this version, or it is damaged',
    ],
    [['replay', 'gone.trace'], 'gone.trace: there is no such file'],
    [['replay', 'model'], 'model: it is a directory'],
    [['abi', '--sig', 'u63 -> u64', '--kinds', 'fentry'], '"u63" in "u63 -> u64" is not a type'],
    [['abi', '--sig', 'u64', '--kinds', 'fancy'], '"fancy" is not a kind of program'],
    [['abi', '--sig', 'u64', '--kinds', 'fentry', '--kernel', '5.4'], '--kernel 5.4 is not known'],
    [['abi', '--sig', 'u64'], "required option '--kinds <programs>' not specified"],
  ])('%j', (args, sentence) => {
    const { exit, stdout, stderr } = attachcheck(args);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(exit).toBe(EXIT.USAGE);
  });

  test('with --json the sentence is an object on stdout', () => {
    const { exit, stdout } = attachcheck(['--law', 'nothing', '--json']);
    expect(JSON.parse(stdout)).toEqual({ exit, error: 'there is no law nothing; --list names them all' });
  });

  test('damaged recordings are named line by line, the sound ones still compared', () => {
    const line = sound();
    const path = file(
      'a.jsonl',
      `${line}\n${line.slice(0, 80)}\n${line.replace('"func_addr":', '"fun":')}\n`,
    );
    const { exit, stdout } = attachcheck(['images', path]);
    expect(stdout).toContain(`✗ ${path}:2: this line is not JSON; is the file cut off?`);
    expect(stdout).toContain(`✗ ${path}:3: field func_addr is missing`);
    expect(stdout).toMatch(/^all +1\/1 +1\/1 +1\/1 /m);
    expect(exit).toBe(EXIT.USAGE);
  });

  test('damaged compressed data is named', () => {
    const path = file('a.jsonl.gz', Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
    const { exit, stdout } = attachcheck(['images', path]);
    expect(stdout).toContain(`✗ ${path}: the compressed data is damaged or cut off`);
    expect(exit).toBe(EXIT.USAGE);
  });
});

describe('attach sequences', () => {
  const [line = ''] = readText(join(TOP, 'conformance/recordings/sequences.jsonl.gz')).split('\n');

  test('one that the model replays ends with 0', () => {
    const { exit, stdout, stderr } = attachcheck(['sequences', file('b.jsonl', line)]);
    expect(stdout).toMatch(/^all +1\/1 /m);
    expect(stderr).toBe('');
    expect(exit).toBe(EXIT.HELD);
  });

  test('one that it does not ends with 1, the place, and the question to ask again', () => {
    const path = file('b.jsonl', `${line}\n${line.replace('{"h":"body"', '{"h":"repl"')}\n`);
    const { exit, stdout } = attachcheck(['sequences', path]);
    expect(stdout).toMatch(/^all +1\/2 /m);
    expect(stdout).toContain(`✗ ${path}:2`);
    expect(stdout).toMatch(/^ {2}question {3}fns=\w+: /m);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test('damaged lines are named, the sound ones still replayed', () => {
    const strange = line.replace(/"op":"\w+/, '"op":"frob');
    const path = file('b.jsonl', `${line.slice(0, 80)}\n${strange}\n${line}\n`);
    const { exit, stdout } = attachcheck(['sequences', path, join(folder, 'gone.jsonl')]);
    expect(stdout).toContain(`✗ ${path}:1: this line is not JSON; is the file cut off?`);
    expect(stdout).toContain(`✗ ${path}:2: field steps.0.op: the recorder has no operation "frob"`);
    expect(stdout).toContain('gone.jsonl: there is no such file');
    expect(stdout).toMatch(/^all +1\/1 /m);
    expect(exit).toBe(EXIT.USAGE);
  });
});

/** The first recorded line: a fentry program on a function without arguments, on 6.1. */
function sound(): string {
  return readText(join(TOP, 'conformance/recordings/trampolines.jsonl.gz')).split('\n')[0]!;
}

describe('an image of your own', () => {
  const record = JSON.parse(sound());
  const hex: string = record.image_hex;
  const options = ['--sig', '-> u64', '--kinds', 'fentry', '--kernel', '6.1'];
  const names = Object.entries<string>(record.symbols).map(([at, name]) => [
    at,
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
  ])('%s', (_, content) => {
    const { exit, stdout } = judge(file('image', content));
    expect(stdout).toMatch(/the model generates the same bytes\n✓ holds for all argument values \(2 paths/);
    expect(exit).toBe(EXIT.HELD);
  });

  test('a law that it breaks is reported with the place, and the command to paste', () => {
    // The store of the return address's neighbour: -0x8(%rbp) becomes +0x8(%rbp).
    const { exit, stdout } = judge(file('image', hex.replace('488945f8', '48894508')));
    expect(stdout).toContain('✗ trampoline/stores-stay-in-the-frame');
    expect(stdout).toMatch(/▶ tramp#1\+0xb +mov +%rax,0x8\(%rbp\)/);
    expect(stdout).toMatch(/replay {5}npm run check -- image /);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test('an instruction that is not modelled ends with 3', () => {
    const { exit, stderr } = judge(file('image', hex.replace('488945f8', '0faef090')));
    expect(stderr).toBe('attachcheck: unsupported instruction 0f ae f0 (mfence) at tramp#1+0xb\n');
    expect(exit).toBe(EXIT.FAILED);
  });

  test.each([
    ['an odd digit', `${hex}0`, SYMBOLS, 'the hexadecimal digits do not make up whole bytes'],
    ['an empty file', '', SYMBOLS, 'it is empty'],
    ['symbols without the image', hex, { ...SYMBOLS, image: undefined }, 'field image is missing'],
    [
      'a symbol that nothing stands in for',
      hex,
      { ...SYMBOLS, symbols: { '0x1': 'vfs_read' } },
      'nothing stands in for vfs_read',
    ],
    [
      'a call to nowhere',
      hex,
      { ...SYMBOLS, symbols: {} },
      /tramp#1\+0x23 leads to 0x\w+, which has no name there/,
    ],
    ['a field that is not known', hex, { ...SYMBOLS, base: '0x1' }, 'base'],
  ])('%s is named', (_, content, symbols, sentence) => {
    const { exit, stderr } = judge(file('image', content), symbols);
    expect(stderr).toMatch(sentence);
    expect(exit).toBe(EXIT.USAGE);
  });
});
