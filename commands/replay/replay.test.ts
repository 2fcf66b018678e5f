import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { sources } from '../../test/sources.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { replayFiles, replayText } from './replay.ts';

const CORPUS = sources('.trace').map(({ path, text }) => [path, text] as const);
const textOf = (name: string) => CORPUS.find(([path]) => path.endsWith(name))![1];
const SHORTCUT = textOf('arguments-are-only-copied.null-argument-shortcut.trace');
const SEQUENCE = textOf('direct-trampoline-runs-exactly-once.modify-without-the-temporary-ops.trace');

/** That every saved counterexample gives its report again is seen in the default run. */
describe('replay', () => {
  test('a law that is broken again ends with 1', () => {
    const answer = replayFiles([{ path: 'a.trace', text: SHORTCUT }]);
    expect(answer.exit).toBe(EXIT.BROKEN);
    expect(answer.text).toContain('✗ trampoline/arguments-are-only-copied');
    expect(answer.text).toContain('a.trace: replayed, same report as saved');
  });

  test('without its planted bug the law holds, and the replay ends with 0', () => {
    const repaired = SHORTCUT.replace(/^planted .*\n/m, '');
    expect(replayText(repaired).kind).toBe('holds');
    expect(replayFiles([{ path: 'a.trace', text: repaired }]).exit).toBe(EXIT.HELD);
  });

  test('a changed report is distinguished from the saved one', () => {
    const changed = SHORTCUT.replace('this branch depends', 'that branch depends');
    expect(replayText(changed).kind).toBe('report changed');
  });

  test('the seed is a note: another one, or none, replays the same steps', () => {
    expect(replayText(SHORTCUT.replace(/^found .*/m, 'found    by hand')).kind).toBe('report changed');
  });

  test('an errno that is not the saved one is a divergence, which ends with 3', () => {
    const diverged = SHORTCUT.replace(/= 0\n/, '= -EBUSY\n');
    expect(replayText(diverged)).toEqual({
      kind: 'diverged',
      why: 'the link of prog#1 answers 0, saved is -EBUSY',
    });
    expect(replayFiles([{ path: 'a.trace', text: diverged }]).exit).toBe(EXIT.FAILED);
  });

  test('a link that is missing is a divergence too', () => {
    const diverged = SHORTCUT.replace(/bpf_trampoline_link_prog.*\n/, '');
    expect(replayText(diverged)).toMatchObject({ kind: 'diverged' });
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

test('a sequence of the user, which names no law, is judged by all of them', () => {
  const own = SEQUENCE.replace(/^(law|planted|found) .*\n/gm, '').replace(/^-{80}\n[\s\S]*/m, '');
  const answer = replayFiles([{ path: 'own.calls', text: own }]);
  expect(answer.exit).toBe(EXIT.HELD);
  expect(answer.text).toMatch(/\n✓ [\d.]+: \d+ laws exercised, all held$/);
  expect(answer.json['files']).toMatchObject([{ path: 'own.calls', result: 'judged' }]);
});

test('a scenario of the user is not replayed, but explored', () => {
  const [{ path, text }] = sources('docs/examples/kretprobe.scenario') as [{ path: string; text: string }];
  const answer = replayFiles([{ path, text }]);
  expect(answer.exit).toBe(EXIT.FAILED);
  expect(answer.text).toContain(`npm run check -- explore ${path}`);
});

describe('a damaged trace is named with its place', () => {
  test.each([
    [/^-{80}\n/m, '', 'the rule between program and report is missing: is the file truncated?'],
    [/^law .*\n/m, '', 'the header has no law'],
    [/^kernel .*\n/m, '', 'the header has no kernel'],
    ['kernel   6.12', 'kernel   5.4', 'line 1, column 10: kernel 5.4 is not known; there are 6.1, 6.12, 7.2'],
    [/^law .*/m, 'law      trampoline/nothing', 'there is no law trampoline/nothing'],
    [/^planted .*/m, 'planted  nothing', /^there is no planted bug nothing; there are /],
    [
      /^found .*/m,
      'founder  me',
      'line 4, column 1: "founder  me" is no header field of this version; did you mean found?',
    ],
    [/^found/m, 'kernel   6.1\nfound', 'line 4, column 1: kernel is said twice'],
    [/^found/m, 'ibt      maybe\nfound', 'ibt maybe is not known; there are yes, no'],
    ['(u64 -> u64)', '(u63 -> u64)', /^line 6: .*u63/],
    ['bpf_prog(fentry)', 'bpf_prog(fancy)', /^line 7: "fancy" is not a kind of program/],
    ['prog#1 = ', 'prog#2 = ', 'line 7: prog#2 is out of order'],
    ['link_prog(prog#1, f) ', 'link_prog(prog#2, f) ', 'line 8: prog#2 is not declared'],
    ['task#1 calls f\n', '', 'the program makes no call: "task#1 calls f" is missing'],
    ['task#1 calls f\n', 'task#1 sings\n', /^line 9: "task#1 sings" is not an action/],
    ['f = function(u64 -> u64)\n', '', 'the program declares no function'],
  ])('%s → %j', (pattern, replacement, message) => {
    const damaged = SHORTCUT.replace(pattern, replacement);
    expect(damaged).not.toBe(SHORTCUT);
    expectDamaged(damaged, message);
  });

  test.each([
    [/^kernel .*\n/m, '', 'the header has no kernel'],
    [
      'kernel   6.12',
      'kernel   9.9',
      'line 1, column 10: kernel 9.9 is not known; there are 6.1, 6.12, 7.2, 7.3',
    ],
    [
      /^found/m,
      'format   2\nfound',
      /^line 4, column 1: "format {3}2" is no header field of this version; there are kernel, /,
    ],
    [/^law .*/m, 'law      ftrace/nothing', 'there is no law ftrace/nothing'],
    [/^planted .*/m, 'planted  nothing', /^there is no planted bug nothing; there are /],
    ['(u64 -> u64)', '(u63 -> u64)', /^line 6, column 15: .*u63/],
    [
      /^register_ftrace_direct/m,
      'register_everything',
      /^line 8, column 1: there is no call register_everything; /,
    ],
    [/^.* = function.*\n/m, '', /^line 6, column 32: f1 is not declared as a function; none is$/],
    [/^ftrace_set[\s\S]*?(?=-{80})/m, '', /^line \d+: the program has no actions$/],
    [/^(\w+ = function.*\n)/m, '$1$1', /^line \d+, column 1: \w+ is declared twice$/],
    [/^\w+ = function/m, '6 = function', /^line 6, column 1: "6" is not the name of a function; /],
  ])('a sequence: %s → %j', (pattern, replacement, message) => {
    const damaged = SEQUENCE.replace(pattern, replacement);
    expect(damaged).not.toBe(SEQUENCE);
    expectDamaged(damaged, message);
  });

  test.each([SHORTCUT, SEQUENCE])('wherever it is cut off', (whole) => {
    for (let end = 0; end < whole.length; end += 7) {
      const replayed = replayText(whole.slice(0, end));
      expect([end, replayed.kind]).toEqual([end, 'damaged']);
    }
  });

  test('whatever is changed in header or program, the checker does not fail over it', () => {
    const traces = fc.constantFrom(...CORPUS.map(([, text]) => text));
    const damage = fc.tuple(
      traces,
      fc.nat(),
      fc.constantFrom('', ' ', '0', '#', '(', ')', ',', '=', '\n', 'a'),
    );
    fc.assert(
      fc.property(damage, ([text, place, letter]) => {
        const index = place % text.indexOf('-'.repeat(80));
        expect(() => replayText(text.slice(0, index) + letter + text.slice(index + 1))).not.toThrow();
      }),
      { seed: 1, numRuns: THOROUGH ? 1000 : 60 },
    );
  });

  test('and ends with 3, the other files replayed', () => {
    const answer = replayFiles([
      { path: 'a.trace', text: SEQUENCE.slice(0, 500) },
      { path: 'b.trace', text: SEQUENCE },
    ]);
    expect(answer.exit).toBe(EXIT.FAILED);
    expect(answer.text).toMatch(/^✗ a\.trace: .*is the file truncated\?$/m);
    expect(answer.text).toContain('b.trace: replayed, same report as saved');
  });
});

function expectDamaged(text: string, message: string | RegExp): void {
  const replayed = replayText(text);
  expect(replayed).toEqual({
    kind: 'damaged',
    why: typeof message === 'string' ? message : expect.stringMatching(message),
  });
}
