import { beforeAll, describe, expect, test } from 'vitest';
import { checkJob } from '../commands/check/check.ts';
import { DEFAULT_FAMILY, scenariosOf } from '../commands/explore/exploration.ts';
import { exploreBeside } from '../commands/explore/explore.ts';
import { explorationOf, IN_ONE_WORKER } from '../commands/explore/explore-options.ts';
import type { AskedCommand } from '../commands/line/answered.ts';
import { answered as worked } from '../commands/line/answered.ts';
import { searchesFor } from '../commands/line/options.ts';
import { readText } from '../conformance/files.ts';
import { EXIT } from '../counterexamples/answer.ts';
import { asked, attachcheck, isShown, QUIET, shownCommands, words } from './console.ts';
import { firstRecording } from './recorded.ts';
import { scratch } from './scratch.ts';
import { schemaProblems, shapeDifferences } from './shape.ts';
import { sources, TOP } from './sources.ts';
import { someOf, THOROUGH } from './thorough.ts';

const DOCUMENTS = sources('.md');
const SYSTEMS = DOCUMENTS.find(({ path }) => path === 'docs/systems.md')!.text;

/** What takes seconds: it is run where there is time. */
function isLong(args: readonly string[]): boolean {
  const line = args.join(' ');
  return !THOROUGH && (/^(refine|compare)\b/.test(line) || LONG.includes(line));
}

const LONG: readonly string[] = [
  'matrix --kernel 6.12',
  '--law tracepoint/hits-call-each-probe-once --sequences 50 --verbose',
  '--law trampoline/image-matches-attached-programs --kernel 6.12, imageLifecycle = C, linksMax = 3 --sequences 200 --verbose',
];

const RETURNS =
  "--law ftrace/return-hooks-run-in-reverse-order --kernel '6.12, kretprobe = ret_stack' --sequences 40";

/** Shorter forms of long commands: their shown lines are the same. */
const SHORTER: Readonly<Record<string, readonly string[]>> = {
  ...(THOROUGH ? {} : { [RETURNS]: ['--sequences', '20'] }),
  'refine --all': ['--operations', '1', '--workers', '1'],
};

/** The default run; with few searches, and without recordings, where there is no time. */
const DEFAULT: readonly string[] = [];
let shortRun: Promise<AskedCommand> | undefined;

/** Saved counterexamples; `npm run check` replays them all. */
const CORPUS = someOf(sources('.trace'), 30);

/** Of the interleavings a small scenario. */
const FAMILY = { ...DEFAULT_FAMILY, only: ['register f1', 'register f1'] };

function defaultRun(): Promise<AskedCommand> {
  const { images, sequences } = searchesFor({ seed: '1', cases: '40', sequences: '2' });
  return worked(
    checkJob({
      recordings: [],
      recordedSequences: [],
      corpus: CORPUS,
      search: images!,
      sequences: sequences!,
      explore: () => exploreBeside(explorationOf(FAMILY, scenariosOf(FAMILY)), IN_ONE_WORKER),
      exploreCommand: [],
    }),
    { terminal: QUIET, argv: [], options: {} },
  );
}

/** What `attachcheck ARGS` comes to. */
function answered(args: readonly string[]): Promise<AskedCommand> {
  if (args.length > 0 || THOROUGH) return asked(args);
  shortRun ??= defaultRun();
  return shortRun;
}

describe('the command line in the documents', () => {
  const commands = DOCUMENTS.filter(({ path }) => path !== 'docs/tutorial.md')
    .flatMap(({ text }) => shownCommands(text))
    .filter(({ command }) => command !== 'npm ci');

  test('is shown with real output', () => {
    expect(commands.filter(({ output }) => output.length > 0).length).toBeGreaterThanOrEqual(20);
  });

  /** Each command once, with all that is shown of it. */
  const outputs = new Map(commands.map(({ command }) => [command, [] as (readonly string[])[]]));
  for (const { command, output } of commands) if (output.length > 0) outputs.get(command)!.push(output);

  /** A default run that is cut short has no recordings to show. */
  const asks = [...outputs].filter(([command]) => {
    const args = words(command).slice(4);
    return THOROUGH || (args.length > 0 && !isLong(args));
  });

  test.each(asks)('%s', async (command, shown) => {
    const [npm, run, check, dashes, ...args] = words(command);
    expect([npm, run, check, dashes ?? '--']).toEqual(['npm', 'run', 'check', '--']);
    const { answer } = await answered([...args, ...(SHORTER[args.join(' ')] ?? [])]);
    expect(answer.text).not.toBe('');
    for (const output of shown)
      if (!isShown(answer.text, output)) expect(answer.text).toBe(output.join('\n'));
  });

  const systems = SYSTEMS.slice(SYSTEMS.indexOf('\n| system |'))
    .split('\n\n')[0]!
    .trim()
    .split('\n')
    .slice(2);

  test('shows every system: by a trace that replays, or a command', () => {
    expect(systems.length).toBeGreaterThan(10);
    for (const row of systems)
      expect(row).toMatch(
        /\| [^|]*\]\(\.\.\/(?:model|checker)\/[^|]* \| [^|]*(?:\.trace\)|`npm run check -- )/,
      );
  });

  const ofSystems = systems.flatMap((row) =>
    [...row.matchAll(/`npm run check -- ([^`]*)`/g)].map(([, line]) => line!),
  );

  test.each(ofSystems)('a system is shown by: %s', async (line) => {
    const { answer, exit } = await asked([...words(line), ...(SHORTER[line] ?? [])]);
    expect(answer.text).not.toBe('');
    expect([EXIT.HELD, EXIT.BROKEN]).toContain(exit);
  });

  test('a line that is shown and not printed is reported', () => {
    expect(isShown('a\nb\nc\n', ['a', '…', 'c'])).toBe(true);
    expect(isShown('a\nb\nc\n', ['a', '…'])).toBe(true);
    expect(isShown('a\nb\nc\n', ['a', 'c'])).toBe(false);
    expect(isShown('a\nb\nc\n', ['a', 'b'])).toBe(false);
    expect(isShown('a\nb\nc\n', ['…', 'x', '…'])).toBe(false);
  });
});

test('in the default run nothing is wrong, and a saved counterexample gives its report to the byte', async () => {
  const { answer, exit } = await answered(DEFAULT);
  const corpus = answer.json['corpus'] as { path: string; result: string }[];
  expect(corpus.map(({ path }) => path).sort()).toEqual(CORPUS.map(({ path }) => path).sort());
  expect(corpus.filter(({ result }) => result !== 'same')).toEqual([]);
  // So short a run does not put each law to the test.
  expect([EXIT.HELD, EXIT.INCONCLUSIVE]).toContain(exit);
});

const { file, path: pathOf } = scratch();

/** Files that commands are given: an image, its symbols, recorded images, and recorded sequences of which two are damaged. */
beforeAll(() => {
  const record = JSON.parse(firstRecording());
  const named = Object.entries<string>(record.symbols).map(([site, name]) => [
    site,
    name.replace(/^bpf_prog.*/, 'prog#1'),
  ]);
  const symbols = {
    image: record.image_addr,
    function: record.func_addr,
    symbols: Object.fromEntries(named),
  };
  file('image', record.image_hex);
  file('symbols', JSON.stringify(symbols));
  const images = readText(`${TOP}/conformance/recordings/trampolines.jsonl.gz`).split('\n');
  file('recorded', images.filter((_, i) => i % 20 === 0).join('\n'));
  const [sequence = ''] = readText(`${TOP}/conformance/recordings/sequences.jsonl.gz`).split('\n');
  const doctored = sequence.replace('{"h":"body"', '{"h":"repl"');
  file('attach', `${sequence}\n${doctored}\n${sequence.slice(0, 80)}\n`);
});

const TRACE = 'counterexamples/corpus/trampoline/arguments-are-only-copied.null-argument-shortcut.trace';

describe('--json prints what is documented', () => {
  const examples = new Map(
    [...sources('docs/json.md')[0]!.text.matchAll(/^```json (\w+)\n(.*?)^```$/gms)].map(([, name, text]) => [
      name!,
      JSON.parse(text!),
    ]),
  );
  const shown: [string, readonly string[]][] = [
    ['check', DEFAULT],
    ['search', ['--planted', 'r9-not-restored']],
    ['search', ['--law', 'trampoline/stack-is-aligned', '--cases', '300']],
    ['images', ['images', '@recorded']],
    ['sequences', ['sequences', '@attach']],
    ['abi', ['abi', '--sig', 'u64 x9 -> u64', '--kinds', 'fentry, fexit']],
    ['abi', ['abi', '--sig', 'u64 x13 -> u64', '--kinds', 'fentry']],
    ['places', ['abi', '--sig', 'u64, u128', '--sig', 'u64 x13 -> s16b', '--arch', 'arm64']],
    ['sharing', ['abi', '--planted', 'plans-compared-by-length']],
    [
      'image',
      ['image', '@image', '--symbols', '@symbols', '--sig', '-> u64', '--kinds', 'fentry', '--kernel', '6.1'],
    ],
    ['explore', ['explore', '--planted', 'no-sync-after-int3']],
    ['scenario', ['explore', 'docs/examples/kretprobe.scenario']],
    [
      'random',
      ['explore', '--random', '2', '--schedules', '10', '--seed', '3', '--planted', 'no-sync-after-heads'],
    ],
    ['judge', ['docs/examples/dead-kprobe.calls']],
    ['exhaust', ['exhaust', 'docs/examples/dead-kprobe.calls', '--depth', '3']],
    ['near', ['near', 'docs/examples/why-busy.calls', '--sequences', '40']],
    ['replay', ['replay', TRACE]],
    ['compare', ['compare', '--n', '1,38', '--kernel', '6.12', '--designs', 'global, single links']],
    ['refine', ['refine', 'one by one', 'tracing multi']],
    ['matrix', ['matrix', 'kprobe', 'kprobe.post']],
    ['why', ['why', 'EBUSY', 'docs/examples/why-busy.calls']],
    ['whyErrno', ['why', 'EBUSY']],
    ['whyHere', ['why', '--here', 'security_ac_f1', '--root', 'commands/why/here/machines/patch']],
    ['historyBehaviour', ['history', 'fprobe']],
    ['historyBreach', ['history', 'fprobe-keeps-pointers-to-freed-filters']],
    ['histories', ['history']],
    ['matrix', ['matrix', 'ops', 'kprobe', '--planted', 'tramp-survives-a-second-ops', '--kernel', '6.12']],
    ['lattice', ['refine', '--all', '--operations', '1', '--workers', '1']],
    ['list', ['--list']],
    ['explain', ['explain', 'commands/explain/examples/nine-arguments.calls']],
    ['cost', ['cost', 'commands/cost/example.json', '--kernel', '7.2']],
    ['stubs', ['stubs']],
    ['stub', ['stubs', 'ptr, ptr, u32']],
    ['bugs', ['bugs']],
    ['bugs', ['bugs', 'modify-locks-direct-mutex-twice']],
  ];

  test.each(shown.filter(([, args]) => !isLong(args)))('%s: %j', async (name, args) => {
    const { answer, exit } = await answered(
      args.map((arg) => arg.replace(/^@(\w+)$/, (_, locals) => pathOf(locals))),
    );
    const printed = JSON.parse(JSON.stringify({ ...answer.json, exit }));
    expect(shapeDifferences(examples.get(name), printed)).toEqual([]);
    expect(schemaProblems(name, printed)).toEqual([]);
  });

  test('and what went wrong', async () => {
    const { exit, stdout } = await attachcheck(['--law', 'nothing', '--json']);
    expect(shapeDifferences(examples.get('error'), JSON.parse(stdout))).toEqual([]);
    expect(JSON.parse(stdout).exit).toBe(exit);
  });

  test('of an answer it prints the object alone', async () => {
    const { exit, stdout } = await attachcheck(['replay', TRACE, '--json']);
    const { answer } = await asked(['replay', TRACE]);
    expect(JSON.parse(stdout)).toEqual({ ...JSON.parse(JSON.stringify(answer.json)), exit });
  });

  test('every example of the document is printed by some command', () => {
    // Those of `kernel`, `soak` and shards are printed by the tests of their directories.
    const elsewhere = /^(?:error|kernel\w*|ownKernel|bundle|soak|shard|missing)$/;
    const here = [...examples.keys()].filter((name) => !elsewhere.test(name));
    expect(here.sort()).toEqual([...new Set(shown.map(([name]) => name))].sort());
  });
});
