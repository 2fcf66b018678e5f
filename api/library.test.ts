import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawsFor } from '../commands/explore/own-laws.ts';
import * as library from '../library.ts';
import {
  act,
  boot,
  call,
  executeImage,
  explore,
  generateImage,
  InputError,
  judge,
  judgeImage,
  parseSequence,
  printSequence,
  readImage,
  scenario,
  sequences,
  shrink,
  TASK_LAWS,
} from '../library.ts';
import { declareTracepoint } from '../model/raw-tracepoint/tracepoints.ts';
import { ALL_TASK_LAWS } from '../properties/task-laws.ts';

const F1 = 'f1 = function(u64 -> u64)';
const DEAD_KPROBE = `kernel   7.2

f1 = function(u64, ptr -> s32)
direct#1 = ftrace_ops(DIRECT)
update_ftrace_direct_add(direct#1, { f1: my_tramp1 })
register_kprobe(kprobe#1, f1, post_handler)
task#1 calls f1(0x1, 0x2)
`;

test('what is exported is this, and each of it a promise', () => {
  expect(Object.keys(library).sort()).toEqual([
    'ATTACH_LAWS',
    'IMAGE_LAWS',
    'InputError',
    'PROFILES',
    'TARGET_ERRNOS',
    'TASK_LAWS',
    'UnmatchedImage',
    'act',
    'boot',
    'bpfTrampolineGet',
    'bpfTrampolineLinkProg',
    'bpfTrampolinePut',
    'bpfTrampolineUnlinkProg',
    'call',
    'counted',
    'designData',
    'entry',
    'executeImage',
    'explore',
    'generateImage',
    'judge',
    'judgeImage',
    'parseSequence',
    'printSequence',
    'readImage',
    'refuseMultiTarget',
    'registerDesign',
    'registerLaw',
    'registerProfile',
    'routine',
    'scenario',
    'sequences',
    'shrink',
    'takeTarget',
    'targetsOf',
    'warn',
  ]);
});

describe('a sequence', () => {
  test('is read, judged by all laws, and printed with its answers', () => {
    const sequence = parseSequence(DEAD_KPROBE);
    const { answers, broken, held } = judge(sequence);
    expect(answers).toEqual(['', '0', '0', '']);
    expect(broken).toEqual([
      {
        law: 'ftrace/probes-fire-exactly-once',
        step: 4,
        expected: 'kprobe#1 sees f1 once (kprobe)',
        observed: 'it never does',
        known: 'kprobe-is-registered-and-dead',
      },
    ]);
    expect(held).toContain('ftrace/call-sites-match-ops');
    expect(parseSequence(printSequence(sequence, answers))).toEqual(sequence);
    expect(printSequence(sequence)).toBe(DEAD_KPROBE);
  });

  test('that cannot be read is an error with its line', () => {
    expect(() => parseSequence(DEAD_KPROBE.replace('post_handler', 'post_handlr'))).toThrow(InputError);
    expect(() => parseSequence(DEAD_KPROBE.replace('post_handler', 'post_handlr'))).toThrow('line 6');
  });

  test('is shrunk by what it means', () => {
    const isRefused = (c: library.Sequence) => judge(c, []).answers.includes('-EBUSY');
    const twice = `kernel   6.12

f1 = function(u64 x3 -> u64)
ops#1 = ftrace_ops()
direct#1 = ftrace_ops(DIRECT)
direct#2 = ftrace_ops(DIRECT)
ftrace_set_filter_ip(direct#1, f1)
ftrace_set_filter_ip(direct#2, f1)
register_ftrace_direct(direct#1, my_tramp1)
task#1 calls f1(0x1, 0x2, 0x3)
register_ftrace_direct(direct#2, my_tramp2)
`;
    const small = shrink(parseSequence(twice), isRefused);
    expect(isRefused(small)).toBe(true);
    expect(small.actions.length).toBeLessThan(5);
    expect(() => shrink(parseSequence(DEAD_KPROBE), isRefused)).toThrow('does not fail');
  });
});

test('a kernel is booted, acted on without being changed, and called', () => {
  const booted = boot('6.12', [F1]);
  const loaded = act(booted, 'prog#1 = BPF_PROG_LOAD(fentry, f1)').kernel;
  const { kernel, outcome } = act(loaded, 'link#1 = BPF_LINK_CREATE(prog#1)');
  expect(outcome).toEqual({ errno: 0, warnings: [] });
  expect(call(kernel, 'f1(0x5)').events.map(({ who }) => who)).toEqual(['prog#1', 'f1']);
  expect(call(booted, 'f1(0x5)').events.map(({ who }) => who)).toEqual(['f1']);
  expect(act(kernel, { do: 'close(link)', link: 'link#1' }).outcome.errno).toBe(0);
  expect(() => boot('6.13', [F1])).toThrow(InputError);
  expect(() => boot('6.12', ['f1'])).toThrow('"f1" is not a declaration of a function');
});

test('sequences are drawn for a property of one’s own', () => {
  const drawn = fc.sample(sequences('6.12, multiLinks = one by one'), { numRuns: 20, seed: 1 });
  expect(new Set(drawn.flatMap(({ actions }) => actions.map((action) => action.do))).size).toBeGreaterThan(
    10,
  );
  const hasKprobe = ({ actions }: library.Sequence) =>
    actions.some((action) => action.do === 'register_kprobe');
  const { counterexample } = fc.check(
    fc.property(sequences('6.12'), (c) => !hasKprobe(c)),
    { numRuns: 50, seed: 1 },
  );
  const small = shrink(counterexample![0], hasKprobe);
  expect(printSequence(small)).toBe(`kernel   6.12\n\n${F1}\nregister_kprobe(kprobe#1, f1)\n`);
  expect(() => sequences('6.12, multiLinks = mine')).toThrow(InputError);
});

describe('a scenario', () => {
  const WRITTEN = {
    profile: '6.12',
    functions: [F1],
    clients: [['register_kprobe(kprobe#1, f1)'], ['register_kprobe(kprobe#2, f1)']],
  };

  test('is searched to its end', () => {
    const { complete, states, broken, held } = explore(scenario(WRITTEN));
    expect({ complete, broken }).toEqual({ complete: true, broken: [] });
    expect(states).toBeGreaterThan(100);
    expect(held).toContain('ftrace/record-counts-match-ops');
  });

  test('is the text of a file as well', () => {
    const { profile, functions, clients } = WRITTEN;
    const lines = clients.flatMap((calls, i) => calls.map((call) => `client#${i + 1}: ${call}`));
    const text = `kernel ${profile}\ncpus 2\n\n${[...functions, ...lines].join('\n')}\n`;
    expect(explore(scenario(text))).toEqual(explore(scenario(WRITTEN)));
    expect(() => scenario(text.replace('cpus 2', 'grain instruction'))).toThrow('grain instruction');
    expect(() => scenario(text.replace('client#1', 'client#0'))).toThrow('line ');
  });

  test('is checked against the laws that the command checks for a file', () => {
    const parts = { ...WRITTEN, setup: ['prog#1 = BPF_PROG_LOAD(fentry, f1)'], clients: [['close(prog#1)']] };
    expect(lawsFor(scenario(parts))).toBe(TASK_LAWS);
    expect(
      lawsFor({ ...scenario(parts), tracepoints: [declareTracepoint('sched_switch', 'bool, ptr')] }),
    ).toBe(ALL_TASK_LAWS);
    expect(explore(scenario(parts))).toEqual(explore(scenario(parts), { laws: TASK_LAWS }));
  });

  test('with a call that its kernel does not have is refused with its name', () => {
    const old = scenario({
      ...WRITTEN,
      profile: '6.1',
      clients: [['register_ftrace_direct(f1, my_tramp1)']],
    });
    expect(() => explore({ ...old, profile: '6.12' })).toThrow('6.12 has no register_ftrace_direct(ip)()');
  });

  test('is searched for a law of one’s own, which is reported with a schedule', () => {
    const law: library.TaskLaw = {
      name: 'mine/no-client-ends',
      sentence: 'No operation ends.',
      source: 'none',
      witness: 'an operation ended',
      judge: ({ happening }) =>
        happening.is === 'operation over'
          ? {
              is: 'in-own-words',
              expected: 'no client ends',
              observed: `client#${happening.done.client + 1} does`,
            }
          : 'not applicable',
    };
    const { broken, complete } = explore(scenario({ ...WRITTEN, calls: ['f1(0x1)'] }), { laws: [law] });
    expect(complete).toBe(false);
    expect(broken.map(({ law: name, observed }) => [name, observed])).toEqual([
      ['mine/no-client-ends', 'client#1 does'],
    ]);
    expect(broken[0]?.report).toContain('No operation ends.');
  });
});

describe('an image', () => {
  const PAIR = { kernel: '6.12', signature: 'u64 -> u64', programs: 'fentry, fexit' };

  test('is generated, executed and judged', () => {
    const image = generateImage(PAIR);
    if ('refused' in image) throw new Error(image.refused.errno);
    expect(image.listing[0]).toContain('push   %rbp');
    expect(executeImage(image)).toMatchObject({
      events: [{ who: 'prog#1' }, { who: 'f' }, { who: 'prog#2' }],
      fault: undefined,
    });
    const { paths, broken, asked } = judgeImage(image);
    expect([paths, broken]).toEqual([6n, undefined]);
    expect(asked).toContain('trampoline/original-runs-exactly-once');
  });

  test('is refused with the errno of the kernel', () => {
    expect(generateImage({ ...PAIR, signature: 'u64 x13 -> u64' })).toEqual({
      refused: { program: 1, stage: 'load', errno: 'EINVAL' },
    });
  });

  test('is read from bytes, and refused where a branch has an unknown target', () => {
    const symbols = JSON.stringify({
      image: '0xffffffffc0000800',
      function: '0xffffffffc0201000',
      symbols: {},
    });
    const bytes = Buffer.from('e8 00 10 00 00 c3');
    expect(() => readImage(bytes, symbols, PAIR)).toThrow('which has no name in ');
    expect(() => readImage(Buffer.from('c3'), symbols, PAIR)).toThrow(library.UnmatchedImage);
  });
});
