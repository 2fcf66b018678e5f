import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from './answer.ts';
import { replayFile, replayFiles } from './replay.ts';

const FOLDER = join(import.meta.dirname, 'corpus/trampoline');
const FILES = readdirSync(FOLDER).sort();
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const SHORTCUT = textOf('only-moves-arguments.null-argument-shortcut.trace');

describe('replay', () => {
  test.each(FILES)('%s breaks its law again, with the same report to the byte', (file) => {
    expect(replayFile(file, textOf(file)).kind).toBe('same');
  });

  test('a law that is broken again ends with 1', () => {
    const answer = replayFiles([{ path: 'a.trace', text: SHORTCUT }]);
    expect(answer.exit).toBe(EXIT.BROKEN);
    expect(answer.text).toContain('✗ trampoline/only-moves-arguments');
    expect(answer.text).toContain('a.trace: replayed, the report is the saved one');
  });

  test('without its planted bug the law holds, and the replay ends with 0', () => {
    const repaired = SHORTCUT.replace(/^planted .*\n/m, '');
    expect(replayFile('a.trace', repaired).kind).toBe('holds');
    expect(replayFiles([{ path: 'a.trace', text: repaired }]).exit).toBe(EXIT.HELD);
  });

  test('a report that has changed is told from the saved one', () => {
    const changed = SHORTCUT.replace('this branch depends', 'that branch depends');
    expect(replayFile('a.trace', changed).kind).toBe('report changed');
  });

  test('the seed is a note: another one, or none, replays the same steps', () => {
    expect(replayFile('a.trace', SHORTCUT.replace(/^found .*/m, 'found    by hand')).kind).toBe(
      'report changed',
    );
  });

  test('an errno that is not the saved one is a divergence, which ends with 3', () => {
    const diverged = SHORTCUT.replace(/= 0\n/, '= -EBUSY\n');
    expect(replayFile('a.trace', diverged)).toEqual({
      kind: 'diverged',
      why: 'the link of prog#1 answers 0, saved is -EBUSY',
    });
    expect(replayFiles([{ path: 'a.trace', text: diverged }]).exit).toBe(EXIT.FAILED);
  });

  test('a link that is missing is a divergence too', () => {
    const diverged = SHORTCUT.replace(/bpf_trampoline_link_prog.*\n/, '');
    expect(replayFile('a.trace', diverged)).toMatchObject({ kind: 'diverged' });
  });

  test('of several files the worst exit code wins, and every file is reported', () => {
    const diverged = SHORTCUT.replace(/= 0\n/, '= -EBUSY\n');
    const answer = replayFiles([
      { path: 'a.trace', text: diverged },
      { path: 'b.trace', text: SHORTCUT },
    ]);
    expect(answer.exit).toBe(EXIT.FAILED);
    expect(answer.text).toMatch(/a\.trace[\s\S]*b\.trace/);
  });
});

describe('a damaged trace is named with its place', () => {
  test.each([
    [/^-{80}\n/m, '', 'a.trace: the rule between program and report is missing: is the file cut off?'],
    [/^law .*\n/m, '', 'a.trace: the header has no law'],
    [/^kernel .*\n/m, '', 'a.trace: the header has no kernel'],
    ['kernel   6.12', 'kernel   5.4', 'a.trace: kernel 5.4 is not known; there are 6.1, 6.12, 7.2'],
    [/^law .*/m, 'law      trampoline/nothing', 'a.trace: there is no law trampoline/nothing'],
    [/^planted .*/m, 'planted  nothing', /^a\.trace: there is no planted bug nothing; there are /],
    [
      /^found .*/m,
      'founder  me',
      /^a\.trace: line 4: "founder {2}me" is no header field; there are kernel, /,
    ],
    [/^found/m, 'kernel   6.1\nfound', 'a.trace: line 4: kernel is said twice'],
    [/^found/m, 'ibt      maybe\nfound', 'a.trace: ibt maybe is not known; there are yes, no'],
    ['(u64 -> u64)', '(u63 -> u64)', /^a\.trace: line 6: .*u63/],
    ['bpf_prog(fentry)', 'bpf_prog(fancy)', /^a\.trace: line 7: "fancy" is not a kind of program/],
    ['prog#1 = ', 'prog#2 = ', 'a.trace: line 7: prog#2 is out of order'],
    ['link_prog(prog#1, f) ', 'link_prog(prog#2, f) ', 'a.trace: line 8: prog#2 is not declared'],
    ['task#1 calls f\n', '', 'a.trace: the program makes no call: "task#1 calls f" is missing'],
    ['task#1 calls f\n', 'task#1 sings\n', /^a\.trace: line 9: "task#1 sings" is no action/],
    ['f = function(u64 -> u64)\n', '', 'a.trace: the program declares no function'],
  ])('%s → %j', (pattern, replacement, message) => {
    const damaged = SHORTCUT.replace(pattern, replacement);
    expect(damaged).not.toBe(SHORTCUT);
    expect(() => replayFile('a.trace', damaged)).toThrow(message);
  });
});
