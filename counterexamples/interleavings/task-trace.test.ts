import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { concretePath } from '../../checker/interleavings/concrete.ts';
import { runsOf } from '../../checker/interleavings/schedule.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { replayFiles, replayText } from '../../commands/replay/replay.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { EXIT } from '../answer.ts';
import { describeTask } from './task-describe.ts';
import { BREADTH_FIRST } from './task-report.ts';
import { FILE_LINES_MOST, parseTaskTrace, printTaskTrace } from './task-trace.ts';

const PLANTED = TASK_PLANTED.find(({ law }) => law.name === 'task/no-torn-instruction');
let text: string;

beforeAll(() => {
  const { law, profile } = PLANTED!;
  const scenario = { ...PLANTED!.scenario, profile };
  const space = new Space(scenario, { program: plantedKernel(PLANTED) });
  const [found] = explore(space, { laws: [law] }).breaches;
  const runs = runsOf(concretePath(space, found!.path));
  const origin = { planted: PLANTED, known: undefined, found: BREADTH_FIRST };
  const outcome = describeTask({ scenario, runs }, law, origin);
  if (outcome.is !== 'broken') throw new Error(`the planted bug is not found again: ${outcome.is}`);
  text = printTaskTrace(outcome.counterexample.trace);
});

describe('the trace of an interleaving', () => {
  test('is a file of at most 80 lines that says who does what, and how that ends', /* Long on purpose: all of it. */ () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(FILE_LINES_MOST);
    expect(text).toMatchInlineSnapshot(`
      "kernel   6.12
      law      task/no-torn-instruction
      planted  no-sync-after-int3
      found    breadth first
      cpus     1

      f1 = function(u64 -> u64)
      ops#1 = ftrace_ops()
      ftrace_set_filter_ip(ops#1, f1)
      client#1: register_ftrace_function(ops#1)
      task#1: f1(0x1001)

      client#1 runs 20 steps, to text_poke_bp_batch: sync after tails
      task#1 runs on cpu 0
      task#1 fetches torn 0f f7 ff 11 3f, 1 step to a crash
      --------------------------------------------------------------------------------
      ✗ task/no-torn-instruction                                                always
        No CPU executes a mix of two instructions: it fetches the old one, an int3,
        or the new one.

        22 steps in 3 runs · kernel 6.12 · 1 cpu · planted bug: no-sync-after-int3

        f1 = function(u64 -> u64)
        ops#1 = ftrace_ops()
        ftrace_set_filter_ip(ops#1, f1)

        client#1:                                task#1 on cpu 0: f1(0x1001)
          register_ftrace_function(ops#1)
        --------------------------------------   -------------------------------------
        … 1 step
        __register_ftrace_function: publish
          the ops
          ftrace_ops_list: empty → ops#1
        … 17 steps
        text_poke_bp_batch: write tails
          f1+0x4: nop5 → cc f7 ff 11 3f
                                                 ✗ f1+0x4: fetches torn 0f f7 ff 11 3f
                                                   the kernel crashes

        expected   the CPU executes the old or the new instruction
        observed   torn instruction: f1 is executed as 0ff7ff113f

        why        The tail is written before all CPUs have seen the breakpoint.
                   Without the planted bug, client#1 at step 8 does "sync after int3"
                   in text_poke_bp_batch(), where this kernel does "write tails".

        f1               0f 1f 44 00 00        nop5
        f1               e8 f7 ff 11 3f        call ops#1.trampoline
      ▶ f1               0f f7 ff 11 3f        what is executed

        kernel     arch/x86/kernel/alternative.c text_poke_bp_batch,
                   smp_text_poke_batch_finish
        minimal    proved: no breach in fewer steps within the bound
        replay     npm run check -- replay \\
          counterexamples/corpus/task/no-torn-instruction.no-sync-after-int3.trace
        search     npm run check -- explore --planted no-sync-after-int3
      "
    `);
  });

  test('is read back as it was printed', () => {
    expect(printTaskTrace(parseTaskTrace(text))).toBe(text);
  });

  test('breaks its law again, with the same report to the byte', () => {
    expect(replayText(text).kind).toBe('same');
    expect(replayFiles([{ path: 'a.trace', text }]).exit).toBe(EXIT.BROKEN);
  });

  test('without its planted bug diverges, which ends with 3', () => {
    const repaired = text.replace(/^planted .*\n/m, '');
    expect(replayText(repaired)).toEqual({
      kind: 'diverged',
      why: expect.stringMatching(/^run 1, "client#1 runs 20 steps, to .*": it gets to /),
    });
    expect(replayFiles([{ path: 'a.trace', text: repaired }]).exit).toBe(EXIT.FAILED);
  });

  test('that stops before the breach shows that its law holds so far', () => {
    const shorter = text.replace(/^task#1 fetches torn.*\n/m, '');
    expect(replayText(shorter)).toEqual({ kind: 'holds' });
  });

  test('whose setup a kernel refuses has diverged', () => {
    const refused = text.replace('ftrace_set_filter_ip(ops#1, f1)', 'close(link#9)');
    expect(replayText(refused)).toMatchObject({
      kind: 'diverged',
      why: expect.stringMatching(/^the setup fails: /),
    });
  });
});

describe('a damaged trace is named with its line', () => {
  test.each<[string, string | RegExp, string, RegExp]>([
    ['no CPU', /^cpus .*/m, 'cpus     0', /^line 5, column 10: cpus 0 is not a whole number from 1 to 8$/],
    [
      'too many',
      /^cpus .*/m,
      'cpus     99',
      /^line 5, column 10: cpus 99 is not a whole number from 1 to 8$/,
    ],
    ['another bug', /^planted .*/m, 'planted  nothing', /^there is no planted bug nothing; there are /],
    [
      'an unknown action',
      'client#1: register_',
      'client#1: regret_',
      /^line 10, column 11: there is no call regret_ftrace_function; did you mean register_ftrace_function\?$/,
    ],
    [
      'a client too far',
      'client#1: ',
      'client#2: ',
      /^line 10, column 1: client#2 is not the next one: that would be client#1$/,
    ],
    [
      'a task too far',
      'task#1: f1',
      'task#2: f1',
      /^line 11, column 1: task#2 is not the next one: that would be task#1$/,
    ],
    [
      'a call in a script',
      /client#1: .*/,
      'client#1: task#1 calls f1(0x1)',
      /^line 10, column 11: .*a call is made by a task/,
    ],
    [
      'a run that is none',
      'task#1 runs on',
      'task#1 walks on',
      /^line 14: "task#1 walks on cpu 0" is no run /,
    ],
    [
      'no schedule',
      /\n\nclient#1 runs[^-]*-{80}/,
      `\n\n${'-'.repeat(80)}`,
      /^line 13: the schedule is empty$/,
    ],
    ['no blank line', '\n\nclient#1 runs', '\nclient#1 runs', /^line 7: the blank line before the schedule/],
  ])('%s', (_, pattern, replacement, why) => {
    const damaged = text.replace(pattern, replacement);
    expect(damaged).not.toBe(text);
    expect(replayText(damaged)).toEqual({ kind: 'damaged', why: expect.stringMatching(why) });
  });

  test('wherever it is cut off but at the end of a command', () => {
    const whole = text.indexOf('  search');
    for (let end = 0; end < text.length; end += 7)
      if (end !== whole) expect([end, replayText(text.slice(0, end)).kind]).toEqual([end, 'damaged']);
  });

  test('whatever is changed in header or program, the checker does not fail over it', () => {
    const damage = fc.tuple(fc.nat(), fc.constantFrom('', ' ', '0', '#', '(', ')', ',', '=', '\n', 'a', '2'));
    fc.assert(
      fc.property(damage, ([place, letter]) => {
        const index = place % text.indexOf('-'.repeat(80));
        expect(() => replayText(text.slice(0, index) + letter + text.slice(index + 1))).not.toThrow();
      }),
      { seed: 1, numRuns: THOROUGH ? 400 : 80 },
    );
  });
});
