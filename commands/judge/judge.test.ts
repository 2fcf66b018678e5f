import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { scratch } from '../../test/scratch.ts';
import { replayText } from '../replay/replay.ts';
import { judgeFile } from './judge-command.ts';

const { file } = scratch();

const DEAD_KPROBE = `# A kprobe beside a busy trampoline.
kernel   7.2

f1 = function(u64 -> u64)

direct#1 = ftrace_ops(DIRECT)
update_ftrace_direct_add(direct#1, { f1: my_tramp1 })   # all of them
register_kprobe(kprobe#1, f1, post_handler)
task#1 calls f1(0x1)
`;

/** The second kprobe is armed by the ops of the first, and disarmed by another. */
const DISARMED = `kernel 6.12

f1 = function(u64 -> u64)
register_kprobe(kprobe#1, f1)
register_kprobe(kprobe#2, f1, post_handler)
unregister_kprobe(kprobe#1)
unregister_kprobe(kprobe#2)
task#1 calls f1(1)
`;

const PLANTED = `kernel 6.12
planted modify-without-the-temporary-ops

f1 = function(u64 -> u64)
ftrace_set_filter_ip(direct#1, f1)
register_ftrace_direct(direct#1, my_tramp1)
modify_ftrace_direct(direct#1, my_tramp2)
task#1 calls f1(1)
`;

const UNREGISTERED = 'kernel 7.2\n\nf1 = function(u64 -> u64)\nunregister_ftrace_graph(gops#1)\n';

function judged(text: string) {
  return judgeFile(file('own.calls', text));
}

describe("a user's sequence", () => {
  test('a known breach has its name, its step, and the verdicts of other kernels', () => {
    const { text, exit } = judged(DEAD_KPROBE);
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toContain('✗ ftrace/probes-fire-exactly-once, at step 4');
    expect(text).toContain('known      kprobe-is-registered-and-dead: ');
    expect(text).toContain('elsewhere  6.1 has no update_ftrace_direct_add() · 6.12 has no');
    expect(text).toMatch(/\n✗ 7\.2: 1 law broken, known; \d+ held$/);
  });

  test('a planted bug that the file names was found', () => {
    const { text, exit } = judged(PLANTED);
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(
      /\n✗ 6\.12: the planted bug was found: modify-without-the-temporary-ops; \d laws? broken, \d+ held$/,
    );
  });

  test('what is saved replays', () => {
    expect(judged(DEAD_KPROBE).save).toEqual([]);
    const { save } = judgeFile(file('own.calls', DEAD_KPROBE), true);
    expect(save).toHaveLength(1);
    expect(replayText(save[0]?.text ?? '').kind).toBe('same');
  });

  test('a sequence that breaks nothing ends with 0', () => {
    const { text, exit } = judged(DEAD_KPROBE.replace(', post_handler', ''));
    expect(exit).toBe(EXIT.HELD);
    expect(text).toMatch(/\n✓ 7\.2: \d+ laws exercised, all held$/);
  });

  test('a sequence that no law has a say of is inconclusive', () => {
    const { exit } = judged('kernel 6.12\n\ntp1 = tracepoint(u64)\nprog#1 = BPF_PROG_LOAD(raw_tp)\n');
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('for all kernels has a verdict for each; those that lack a call are skipped', () => {
    const direct = DEAD_KPROBE.replace('7.2', 'all');
    expect(judged(direct).text).not.toContain('kernel 6.12\n');
    expect(judged(direct).text).toMatch(
      /\n\? 6\.1: it has no update_ftrace_direct_add\(\)\n\? 6\.12: it has no /,
    );
    const { text } = judged(direct.replace(/update_ftrace.*\n/, ''));
    for (const kernel of ['6.1', '6.12', '7.2']) expect(text).toContain(`kernel ${kernel}\n`);
  });

  test('an answer that is not the one in the file is a divergence', () => {
    const { exit, text } = judged(DEAD_KPROBE.replace('post_handler)', 'post_handler)     = -16'));
    expect(exit).toBe(EXIT.FAILED);
    expect(text).toMatch(/\n\? the answers differ from the file: .*EBUSY/);
  });

  test('what no client does is not tried, and said', () => {
    const { text, exit } = judged(UNREGISTERED);
    expect(text).toContain('skipped: no client does that');
    expect(text).toMatch(/\n\? step 1: it was not tried$/);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
    expect(judged(`${UNREGISTERED.trim()} = -EBADF\n`).exit).toBe(EXIT.HELD);
  });

  test('a failure that is not reached is reported', () => {
    const { text, exit } = judged(
      DEAD_KPROBE.replace('task#1', 'the next poke in ftrace_replace_code fails\ntask#1'),
    );
    expect(text).toMatch(/\n\? step 4: the call that was to fail was not reached$/);
    expect(exit).toBe(EXIT.BROKEN);
  });

  test('what is broken after a known breach is not called new', () => {
    const { text } = judged(DISARMED);
    expect(text).toContain('known      kprobe-is-disarmed-by-another-ops: ');
    expect(text).toContain('perhaps: since step 4 the state is corrupted by a known breach');
    expect(text).toMatch(/\n✗ 6\.12: 4 laws broken, known, or after a known one; \d+ held$/);
  });
});

describe('a mistake is one sentence with its place', () => {
  test.each([
    [
      'post_handler)',
      'post_handlr)',
      /line 8, column 31: "post_handlr" is not understood, .* did you mean post_handler\?$/,
    ],
    ['f1, post', 'f2, post', /line 8, column 27: f2 is not declared as a function; there are f1$/],
    [
      'register_kprobe(',
      'register_kprob(',
      /line 8, column 1: there is no call register_kprob; did you mean register_kprobe\?$/,
    ],
    ['f1, post_handler)', 'f1, post_handler) twice', /line 8, column \d+: /],
    [
      'register_kprobe',
      'register_kprobe(kprobe#2, f1) = -EBUSSY #',
      /: -EBUSSY is not an answer .* did you mean EBUSY\?$/,
    ],
    ['f1 = ', 'my_tramp1 = ', /line 4, column 1: my_tramp1 is a predefined name/],
    [
      'register_kprobe',
      'register_ftrace_direct(f1, my_tramp1) #',
      /line 8, column 1: 7\.2 has no register_ftrace_direct\(f1, my_tramp1\); 6\.1 has$/,
    ],
    ['kprobe#1', 'probe#1', /line 8, column 17: probe#1 is no name like kprobe#1$/],
    ['7.2', '7.9', /line 2, column 10: kernel 7\.9 is not known; there are 6\.1, 6\.12, 7\.2/],
    ['0x1)', '1x)', /line 9, column \d+: 1x is not a word of 64 bits/],
    ['(0x1)', '(0x1, 0x2)', /line 9, column \d+: f1 takes 1 argument words, not 2$/],
    ['direct#1, {', 'direct#1, [', /line 7, column \d+: /],
    ['my_tramp1', 'my_tramp9', /line 7, column \d+: my_tramp9 is no trampoline/],
    [
      'task#1',
      '# nothing\nthe next allocation in nowhere fails\ntask#1',
      /line 10, column \d+: there is no function nowhere /,
    ],
  ])('%s → %s', (right, wrong, message) => {
    expect(() => judged(DEAD_KPROBE.replace(right, wrong))).toThrow(message);
  });

  test('a file of another kind names the command for it', () => {
    const path = join(
      import.meta.dirname,
      '../../counterexamples/corpus/trampoline/stack-is-aligned.padding-forgotten.trace',
    );
    expect(() => judgeFile(path)).toThrow(
      /it is an attach combination, not a sequence of calls: npm run check -- replay /,
    );
  });
});
