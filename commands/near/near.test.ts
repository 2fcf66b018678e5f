import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { schemaProblems } from '../../test/shape.ts';
import { listedExamples } from './listed-examples.ts';
import { listedScenarios } from './near-scenarios.ts';

const { path: pathOf, file } = scratch();

function fileOf(name: string, ...lines: readonly string[]): string {
  return file(name, `${lines.join('\n')}\n`);
}

const KPROBE = ['f1 = function(u64 -> u64)', 'register_kprobe(kprobe#1, f1)', 'unregister_kprobe(kprobe#1)'];

const DIRECT_CALL = [
  'f1 = function(u64 -> u64)',
  'direct#1 = ftrace_ops(DIRECT)',
  'ftrace_set_filter_ip(direct#1, f1)',
  'client#1: register_ftrace_direct(direct#1, my_tramp1)',
  'client#1: unregister_ftrace_direct(direct#1, my_tramp1)',
  'task#1: f1(0x1001)',
];

async function near(...words: readonly string[]) {
  return await attachcheck(['near', ...words, '--no-save']);
}

/** The words that a shell makes of a command. */
function pasted(command: string): string[] {
  const words = command.replaceAll(' \\\n', ' ').match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll("'", ''));
}

/** The part of an output above the line of the search. */
function reportOf(stdout: string): string {
  return stdout.slice(0, stdout.search(/^✗ (?:sequences|schedules) /m));
}

async function inJson(...words: readonly string[]) {
  const { stdout } = await near(...words, '--json');
  return JSON.parse(stdout);
}

describe('sequences near one of a file', () => {
  test('are the number asked for, in its kernel, and exercise laws', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const { exit, stdout } = await near(path, '--sequences', '40');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^✓ sequences 40 drawn near \S+kprobe\.calls, [\d,]+ actions,/,
    );
    expect(exit).toBe(EXIT.HELD);
    const json = await inJson(path, '--sequences', '40');
    expect(schemaProblems('search', json)).toEqual([]);
    expect(json).toMatchObject({ near: path, kernels: [{ kernel: '6.12', sequences: 40 }] });
  });

  test('are drawn in each kernel of a file for all, and in one that is asked for', async () => {
    const path = fileOf('all.calls', 'kernel all', '', ...KPROBE);
    const kernelsOf = async (...words: string[]) =>
      (await inJson(path, '--sequences', '5', ...words)).kernels.map((own: { kernel: string }) => own.kernel);
    expect((await kernelsOf()).sort()).toEqual(['6.1', '6.12', '7.2']);
    expect(await kernelsOf('--kernel', '6.12, multiLinks = batch')).toEqual(['6.12, multiLinks = batch']);
  });

  test('may be on BPF programs alone, or on tracepoints alone', async () => {
    const program = fileOf(
      'program.calls',
      'kernel 6.12',
      '',
      'p1 = program(u64 -> u64)',
      'prog#1 = BPF_PROG_LOAD(fentry, p1)',
      'link#1 = BPF_LINK_CREATE(prog#1)',
    );
    const tracepoint = fileOf(
      'tracepoint.calls',
      'kernel 6.12',
      '',
      'tp1 = tracepoint(u64)',
      'tracepoint_probe_register(tp1, my_probe1, data#1)',
    );
    expect((await near(program, '--sequences', '60')).exit).toBe(EXIT.HELD);
    expect((await near(tracepoint, '--sequences', '60')).exit).toBe(EXIT.HELD);
  });

  test('leave a law open that was named, and that none exercises', async () => {
    const path = fileOf('kprobe.calls', 'kernel 6.12', '', ...KPROBE);
    const law = 'trampoline/extensions-exclude-programs';
    const { exit, stdout } = await near(path, '--sequences', '5', '--law', law);
    expect(stdout).toContain(`? vacuous          ${law}\n`);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });
});

describe('a planted bug', () => {
  test.each([
    ['in a body.calls', [KPROBE[0]!, 'register_kprobe(kprobe#1, f1+0xa)'], 'kprobe-in-a-body-stays-armed'],
    ['a direct call.scenario', DIRECT_CALL, 'no-sync-after-heads'],
  ])('is found near %s, and its report searches and replays the same', async (name, lines, bug) => {
    const path = fileOf(name, 'kernel 6.12', '', ...lines);
    const first = await near(path, '--planted', bug);
    expect(first.exit).toBe(EXIT.BROKEN);
    const [, command = ''] = /\n {2}search {5}npm run check -- ((?:.* \\\n)*.*)\n/.exec(first.stdout) ?? [];
    const words = pasted(command);
    expect(words.slice(0, 2)).toEqual(['near', path]);
    const again = await attachcheck([...words, '--no-save']);
    expect(reportOf(again.stdout)).toEqual(reportOf(first.stdout));
    const saved = pathOf(`saved ${bug}`);
    await attachcheck([...words, '--save', saved]);
    const [trace = ''] = readdirSync(saved, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.trace'),
    );
    const replayed = await attachcheck(['replay', join(saved, trace)]);
    expect(replayed.exit).toBe(EXIT.BROKEN);
    expect(replayed.stdout).toContain(command.split(' \\\n')[0]!);
  });
});

describe('scenarios near one of a file', () => {
  test('are the number asked for, in its kernel, each by the schedules asked for', async () => {
    const path = fileOf('direct.scenario', 'kernel 6.12', '', ...DIRECT_CALL);
    const { exit, stdout } = await near(path, '--scenarios', '8', '--schedules', '5');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /^✓ schedules 8 scenarios drawn near \S+direct\.scenario, 40 schedules,/,
    );
    expect(exit).toBe(EXIT.HELD);
    const json = await inJson(path, '--scenarios', '8', '--schedules', '5');
    expect(schemaProblems('random', json)).toEqual([]);
    expect(json).toMatchObject({ near: path, schedules: 5, kernels: [{ kernel: '6.12', scenarios: 8 }] });
  });

  test('are drawn in each kernel of a file for all', async () => {
    const path = fileOf('all.scenario', 'kernel all', '', ...DIRECT_CALL);
    const { kernels } = await inJson(path, '--scenarios', '2', '--schedules', '1');
    expect(kernels.map((own: { kernel: string }) => own.kernel)).toEqual(['6.1', '6.12', '7.2']);
  });

  test('leave a law open that was named, and that none exercises', async () => {
    const path = fileOf('direct.scenario', 'kernel 6.12', '', ...DIRECT_CALL);
    const law = 'trampoline/extensions-exclude-programs';
    const { exit, stdout } = await near(path, '--scenarios', '3', '--law', law);
    expect(stdout).toContain(`? vacuous          ${law}\n`);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });
});

test.each([
  ['sequences', KPROBE, '--sequences'],
  ['schedules', DIRECT_CALL, '--scenarios'],
])('a pipe is read once: %s', (name, lines, option) => {
  const path = fileOf(`${name}.txt`, 'kernel 6.12', '', ...lines);
  const command = `cat '${path}' | node commands/program/start.mjs near /dev/stdin ${option} 2 --no-save`;
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toContain(`✓ ${name}`);
});

describe('examples of listed bugs', () => {
  test('are drawn near where there is no file, by their kernel', async () => {
    const { near: name, kernels } = await inJson('--kernel', '6.1', '--sequences', '20');
    expect([name, kernels]).toMatchObject(['listed bugs', [{ kernel: '6.1', sequences: 20 }]]);
  });

  test('are scenarios where those are asked for', async () => {
    const law = ['--law', 'task/no-torn-instruction'];
    const { near: name, kernels } = await inJson('--kernel', '6.1', '--scenarios', '10', ...law);
    const kernel = '6.1, sleepableTargets = true';
    expect([name, kernels]).toMatchObject(['listed bugs', [{ kernel, scenarios: 10, walks: 200 }]]);
  });

  test.each([listedExamples, listedScenarios])(
    'of a design are its own, and those of its kernel',
    (listed) => {
      const [own, ofKernel] = ['6.12, multiLinks = global', '6.12'].map((kernel) => listed(kernel).length);
      expect(own).toBeGreaterThan(ofKernel!);
      expect(ofKernel).toBeGreaterThan(0);
    },
  );
});

test.each([
  [['gone.calls'], 'gone.calls: there is no such file'],
  [
    ['docs/examples/kretprobe.scenario', '--sequences', '3'],
    'docs/examples/kretprobe.scenario is a scenario',
  ],
  [['docs/examples/kretprobe.scenario', '--scenarios', '0'], '--scenarios 0 is not a whole number from 1 to'],
  [['docs/examples/kretprobe.scenario', '--planted', 'nothing'], 'there is no planted bug nothing'],
  [['docs/examples/why-busy.calls', '--schedules', '3'], 'docs/examples/why-busy.calls is none'],
  [['--scenarios', '3', '--sequences', '3'], '--sequences draws sequences, and --scenarios is for scenarios'],
  [['docs/examples/dead-kprobe.calls', '--sequences', '0'], '--sequences 0 is not a whole number from 1 to'],
  [['docs/examples/dead-kprobe.calls', '--law', 'nothing'], 'there is no law on these sequences nothing'],
  [['docs/examples/dead-kprobe.calls', '--kernel', '6.12'], 'kernel 6.12 has no update_ftrace_direct_add()'],
  [['--planted', 'nothing'], 'there is no planted bug of sequences nothing'],
  [['--kernel', '5.0'], '5.0'],
])('%j is refused in one sentence', async (words, sentence) => {
  const { exit, stdout, stderr } = await near(...words);
  expect([exit, stdout]).toEqual([EXIT.USAGE, '']);
  expect(stderr).toContain(sentence);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});
