import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { withWholeCommands } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { judgeFile } from '../judge/judge-command.ts';
import { replayText } from '../replay/replay.ts';
import { exploringWith } from './explore-rig.ts';

const { file } = scratch();

const { asked, explored } = exploringWith(file);
const EXAMPLE = readFileSync(join(import.meta.dirname, '../../docs/examples/kretprobe.scenario'), 'utf8');

/** Two kprobes that need different ops; no function is called. */
const KPROBES = `kernel   6.12

f1 = function(u64 -> u64)
register_kprobe(kprobe#1, f1)   = 0

client#1: unregister_kprobe(kprobe#1)
client#2: register_kprobe(kprobe#2, f1, post_handler)   # beside it
`;

describe("a user's scenario", () => {
  test('is printed with all that is set up, and says which laws held', () => {
    const { text, verbose, exit } = explored(EXAMPLE);
    expect(text).toMatch(/^kernel {3}6\.12\ncpus {5}1\n\nf1 = .*\nregister_kretprobe\(/);
    expect(verbose).toMatch(/^ {2}✓ task\/no-handler-after-unregister\n {6}exercised in 3\.2 % of moves \(/m);
    expect(text).toMatch(/722 states, 1,419 moves, to depth 66, explored to the end\n✓ 6\.12: 9 laws/);
    expect(exit).toBe(EXIT.HELD);
  });

  test('with a bound on preemptions says within which its laws held', () => {
    const { text, exit, json } = explored(EXAMPLE, { preemptions: '1' });
    expect(text).toMatch(
      /, explored to the end with at most 1\s+preemption\n✓ 6\.12: \d laws exercised, all held with at most 1 preemption$/,
    );
    expect(exit).toBe(EXIT.HELD);
    expect(json).toMatchObject({ preemptions: 1, scenarios: [{ end: 'preemptions', verdict: 'held' }] });
  });

  test('runs in the kernel that the command line names, or in all that can begin so', () => {
    expect(asked(KPROBES, { kernel: '7.2' }).scenarios.map(({ name }) => name)).toEqual(['7.2']);
    const everywhere = asked(KPROBES.replace('6.12', 'all'));
    expect(everywhere.scenarios.map(({ name }) => name)).toEqual(['6.1', '6.12', '7.2']);
  });

  test('with a planted bug shows it, and what is saved replays', () => {
    const calls = `${KPROBES}task#1: f1(0x1)\n`;
    const { text, exit, save } = explored(calls, { planted: 'no-sync-after-int3' });
    expect(exit).toBe(EXIT.BROKEN);
    expect(withWholeCommands(text)).toMatch(
      / {2}search {5}npm run check -- explore \S*own\.scenario --planted no-sync-after/,
    );
    expect(text).toMatch(
      /\n✗ 6\.12: the planted bug was found: no-sync-after-int3, task\/no-torn-instruction is broken$/,
    );
    expect(save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
    expect(asked(save[0]!.text).planted?.name).toBe('no-sync-after-int3');
  });

  test.each(['everything-terminates.counter-never-falls', 'eagain-is-temporary.trampoline-is-always-busy'])(
    'with an actor that may never finish shows that: %s',
    (name) => {
      const path = join(import.meta.dirname, `../../counterexamples/corpus/task/${name}.trace`);
      const { text, exit, save } = explored(readFileSync(path, 'utf8'));
      expect(text).toContain(`✗ task/${name.split('.')[0]} `);
      expect(exit).toBe(EXIT.BROKEN);
      expect(save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
    },
  );

  test('of more states than the bound is inconclusive', () => {
    const { text, exit } = explored(EXAMPLE, { states: '100' });
    expect(text).toMatch(/\n\? 6\.12: inconclusive: more states than the bound$/);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });
});

describe('an operation that is refused at once', () => {
  const TWICE = `kernel   7.2

f1 = function(u64 -> u64)
direct#1 = ftrace_ops(DIRECT)
direct#2 = ftrace_ops(DIRECT)
update_ftrace_direct_add(direct#1, { f1: my_tramp1 })
client#1: update_ftrace_direct_add(direct#2, { f1: my_tramp2 })
task#1: f1(0x1)
`;

  test('is named with its errno; where nothing else overlaps, all is vacuous', () => {
    const { text, exit, json } = explored(TWICE);
    expect(text).toContain(
      '? client#1: update_ftrace_direct_add(direct#2, { f1: my_tramp2 })\n    refused at once with EINVAL: overlaps with nothing\n',
    );
    expect(text).toMatch(/\n\? 7\.2: vacuous: no operation overlapped with anything$/);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
    expect(json).toMatchObject({ scenarios: [{ verdict: 'vacuous', refused: [{ answers: ['EINVAL'] }] }] });
  });

  test.each([
    ['task#1: f1(0x1)', EXIT.INCONCLUSIVE],
    ['task#1: f1(0x1)\ntask#2: f1(0x1)', EXIT.HELD],
    ['task#1 (interrupted by f1(0x1)): f1(0x1)', EXIT.HELD],
  ])('is not needed for that where the only actors are %s', (tasks, exit) => {
    expect(explored(`kernel 6.12\n\nf1 = function(u64 -> u64)\n${tasks}\n`).exit).toBe(exit);
  });

  test('leaves the others what they are', () => {
    const { text, exit } = explored(
      `${TWICE}client#2: close(link#9)\n`.replace(
        'client#1: update',
        'client#1: register_kprobe(kprobe#2, f1)\nclient#1: update',
      ),
    );
    expect(text).toContain('? client#2: close(link#9)\n    refused at once with EBADF');
    expect(exit).toBe(EXIT.HELD);
  });
});

describe('a mistake is one sentence with its place', () => {
  test.each([
    [
      'unregister_kprobe(k',
      'unregister_kprob(k',
      /line 6, column 11: there is no call unregister_kprob; did /,
    ],
    ['client#1: un', 'clinet#1: un', /line 6, column 1: "clinet#1" is not an actor; write client#1: /],
    ['client#2: ', 'cpu#2: ', /line 7, column 1: "cpu#2" is not an actor; write client#1: CALL, or task/],
    ['client#2: ', 'client#3: ', /line 7, column 1: client#3 is not the next one: that would be client#2$/],
    [
      'client#2: ',
      'task#1: ',
      /line 7, column 9: a task calls functions and hits .* is for client#1: register_kprobe/,
    ],
    ['client#2: ', 'client2: ', /line 7, column 1: "client2" is not an actor; write client#1: CALL$/],
    [
      'client#2: ',
      'task#1: calls f1(0x1) #',
      /line 7, column 9: "calls f1\(0x1\)": the call is alone there, /,
    ],
    ['client#2: ', 'task#1 calls f1(0x1) #', /line 7, column 1: beside clients a call is written task#1: f1/],
    [
      'client#2: ',
      '',
      /line 7, column 1: the setup, which has no actor, comes before the lines of clients and tasks$/,
    ],
    [
      '   = 0',
      '   = -EBUSY',
      /line 4, column \d+: what is set up has to succeed: its answer is 0, not -EBUSY$/,
    ],
    [
      'post_handler)',
      'post_handler) = 0',
      /line 7, column \d+: what client#2 is answered depends on who comes /,
    ],
    ['post_handler)', 'post)', /line 7, column \d+: "post" is not understood, /],
    [
      'client#2: r',
      'client#2: all grace periods end #',
      /line 7, column 11: .*: grace periods end by themselves/,
    ],
    ['f1)   = 0', 'f2)', /line 4, column 27: f2 is not declared as a function; there are f1$/],
    ['f1)   = 0', 'f1)\nregister_kprobe(kprobe#1, f1)', /line 5: the setup fails: register_kprobe answers E/],
    ['client#2: ', 'task#1 (asleep at prog#1): f1(0x1)\nclient#2: ', /a call of f1 does not come to prog#1$/],
    ['kernel   6.12', 'kernel   6.13', /kernel 6\.13 is not known; there are 6\.1, 6\.12, 7\.2/],
    ['kernel   6.12', 'kernel   6.12\ncpus     9', /cpus 9 is not a whole number from 1 to 8/],
    ['kernel   6.12', 'kernel   6.12\nprocs    2', /line 2, column 1: "procs {4}2" is no header field/],
  ])('%s → %s', (right, wrong, message) => {
    expect(KPROBES).toContain(right);
    expect(() => asked(KPROBES.replace(right, wrong))).toThrow(message);
  });

  test('a file of another kind names the command for it, and a scenario the command that explores it', () => {
    const sequence = 'kernel 6.12\n\nf1 = function(u64 -> u64)\ntask#1 calls f1(0x1)\n';
    expect(() => asked(sequence)).toThrow(/no actor: .*; npm run check -- \S+ judges a sequence$/);
    expect(() => judgeFile(file('own.calls', KPROBES))).toThrow(
      /it is a scenario of several actors, not a sequence of calls: npm run check -- explore /,
    );
  });

  test('options that choose among built-in scenarios are none of a file', () => {
    expect(() => asked(KPROBES, { only: 'attach f1' })).toThrow(/--only chooses among built-in scenarios; /);
    expect(() => asked(KPROBES, { kernel: '5.4' })).toThrow(/kernel 5\.4 /);
  });
});
