import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OF_MODULES } from '../commands/program/bundle-program.ts';
import { EXIT } from '../counterexamples/answer.ts';
import { WIDTH } from '../counterexamples/text.ts';
import { words } from './console.ts';
import { packed } from './packed.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

/** A directory of a user's, with a directory below it from which the commands are run, and files in both. */
let folder: string;
let here: string;

beforeAll(async () => {
  ({ folder } = await packed(mkdtempSync(join(tmpdir(), 'attachcheck-'))));
  here = join(folder, 'below');
  mkdirSync(here);
  for (const [own, path] of Object.entries(FILES)) cpSync(join(TOP, path), join(folder, own));
  for (const [own, text] of Object.entries(WRITTEN)) writeFileSync(join(folder, own), text);
  for (const [own, name] of Object.entries(RECORDS)) {
    const text = gunzipSync(readFileSync(join(TOP, 'conformance/recordings', name))).toString();
    writeFileSync(join(folder, own), text.split('\n').slice(0, 9).join('\n'));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const FILES: Readonly<Record<string, string>> = {
  'my.calls': 'docs/examples/dead-kprobe.calls',
  'busy.calls': 'docs/examples/why-busy.calls',
  'below/my.scenario': 'docs/examples/kretprobe.scenario',
  'my.trace': 'counterexamples/corpus/task/known/ftrace-dies-of-a-refused-direct-call.7.2.trace',
  'for-a-bundle.trace': 'counterexamples/corpus/known/kprobe-of-another-ops-stays.trace',
  'btf.json': 'commands/cost/example.json',
};

/** The first records of recordings. */
const RECORDS: Readonly<Record<string, string>> = {
  'images.jsonl': '7.3-images.jsonl.gz',
  'sequences.jsonl': '7.3-sequences.jsonl.gz',
};

const WRITTEN: Readonly<Record<string, string>> = {
  'names.txt': 'vfs_read\nvfs_write\n',
  'functions.txt': 'vfs_read: ptr x2, u64, ptr -> s64\n',
  'own.mjs':
    "import { registerProfile, PROFILES } from 'attachcheck';\nregisterProfile('mine', PROFILES['6.12']);\n",
};

/** Runs `attachcheck LINE` as a user does who has installed it. */
function installed(line: string) {
  const { stdout, stderr, status } = spawnSync(
    join(folder, 'bin/attachcheck'),
    words(line.replaceAll('"', "'")),
    { cwd: here, encoding: 'utf8', env: { ...process.env, npm_command: undefined, FORCE_COLOR: undefined } },
  );
  return { status, stdout, stderr };
}

/** Every command that takes files, with files that are named from the working directory. The short ones are run always. */
const LINES: readonly (readonly [line: string, exit: number, isShort?: true])[] = [
  ['../my.calls', EXIT.BROKEN, true],
  ['explore my.scenario', EXIT.HELD],
  ['replay ../my.trace', EXIT.BROKEN, true],
  ['explain ../busy.calls', EXIT.HELD],
  ['explain ../my.trace', EXIT.HELD],
  ['exhaust ../my.calls --depth 2', EXIT.HELD],
  ['near ../busy.calls --sequences 20', EXIT.HELD],
  ['why EBUSY ../busy.calls', EXIT.HELD, true],
  ['why ../busy.calls:7', EXIT.HELD],
  ['abi --sigs ../functions.txt', EXIT.HELD],
  ['cost ../btf.json --names ../names.txt', EXIT.HELD],
  ['compare --names ../names.txt --designs "tracing multi"', EXIT.HELD],
  ['bundle ../for-a-bundle.trace --out report', EXIT.HELD],
  ['kernel 6.12 ../my.calls', EXIT.HELD],
  ['images ../images.jsonl', EXIT.HELD],
  ['sequences ../sequences.jsonl', EXIT.HELD],
  ['--with ../own.mjs matrix kprobe kprobe.post --kernel mine', EXIT.HELD],
  ['--planted r9-not-restored --seed 3 --save found', EXIT.BROKEN],
  ['bugs', EXIT.HELD, true],
  ['new design "two at once"', EXIT.HELD, true],
];

describe('the installed program, in a directory of a user:', () => {
  test.each(
    LINES.filter(([, , isShort]) => THOROUGH || isShort).map(([line, exit]) => [line, exit] as const),
  )('%s', (line, exit) => {
    const { status, stdout, stderr } = installed(line);
    expect([status, stderr.split('\n').filter((said) => !isExpected(said))]).toEqual([exit, []]);
    expect(stdout).not.toContain('npm run check');
    expect(stdout.split('\n').filter((printed) => printed.length > WIDTH && !isOneWord(printed))).toEqual([]);
  });

  test('names the files of its examples as they are found from there', () => {
    const { stdout } = installed('help why');
    const examples = [...stdout.matchAll(/^ {2}attachcheck why .*?(\S+\.calls)/gm)].map(([, path]) => path!);
    expect(examples.length).toBeGreaterThan(1);
    for (const path of examples) expect(existsSync(join(here, path.replace(/:\d+$/, '')))).toBe(true);
  });

  test('says of a missing file which, and of a wrong law how the program lists them', () => {
    expect(installed('replay ../nothing.trace')).toEqual({
      status: EXIT.USAGE,
      stdout: '',
      stderr: 'attachcheck: ../nothing.trace: there is no such file\n',
    });
    expect(installed('--law task/no-deadlock').stderr).toBe(
      'attachcheck: task/no-deadlock belongs to another command (interleavings): attachcheck explore --law task/no-deadlock\n',
    );
  });
});

/** Progress, and the name of a file that was saved. */
function isExpected(said: string): boolean {
  return said === '' || said.includes(' · ') || said.startsWith('saved ');
}

/** A path, or another word, that has its line for itself. */
function isOneWord(line: string): boolean {
  return /^ *(?:(?:wrote|saved|next) +)?\S+$/.test(line);
}

test.runIf(THOROUGH)('npm packs and installs it, and npx starts it', { timeout: 900_000 }, () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'attachcheck-'));
  const npm = (program: string, args: readonly string[], cwd: string) =>
    spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, FORCE_COLOR: undefined } });
  expect(npm('npm', ['pack', '--silent', '--pack-destination', elsewhere], TOP).status).toBe(0);
  writeFileSync(join(elsewhere, 'package.json'), '{ "private": true }\n');
  const { version } = JSON.parse(
    sources('package.json').find(({ path }) => path === 'package.json')!.text,
  ) as {
    version: string;
  };
  const tarball = `./attachcheck-${version}.tgz`;
  expect(npm('npm', ['install', '--prefer-offline', '--no-audit', tarball], elsewhere).status).toBe(0);
  expect(npm('npm', ['install', '--global', '--prefix', elsewhere, tarball], elsewhere).status).toBe(0);
  expect(existsSync(join(elsewhere, 'share/man/man1/attachcheck.1'))).toBe(true);
  expect(npm('npx', ['attachcheck', '--version'], elsewhere).stdout).toBe(`${version}\n`);
  cpSync(join(TOP, FILES['busy.calls']!), join(elsewhere, 'busy.calls'));
  expect(npm('npx', ['attachcheck', 'why', 'EBUSY', 'busy.calls'], elsewhere).stdout).toContain(
    '\n  again      npx attachcheck why EBUSY busy.calls\n',
  );
  rmSync(elsewhere, { recursive: true });
});

/** Notes the address of every module that a process loads, in the file that NOTED names. */
const NOTING = `data:text/javascript,${encodeURIComponent(`
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
import { appendFileSync } from 'node:fs';
export function load(url, context, next) {
  appendFileSync(process.env.NOTED, url + '\\\\n');
  return next(url, context);
}\`));
`)}`;

/**
 * What a command of the installed program loads: paths below its folder, names of packages, modules of the system. The
 * bundle has the same modules, of which several are in a file.
 */
function loadedBy(args: readonly string[]): string[] {
  const noted = join(folder, 'noted');
  const program = join(folder, 'node_modules/attachcheck');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', NOTING, join(program, 'dist', OF_MODULES), ...args],
    { encoding: 'utf8', env: { ...process.env, NOTED: noted } },
  );
  expect([status, stderr]).toEqual([0, '']);
  const urls = readFileSync(noted, 'utf8').trimEnd().split('\n');
  rmSync(noted);
  return urls.map((url) => {
    if (!url.startsWith('file:')) return url;
    const path = fileURLToPath(url);
    const [, name] = /.*\/node_modules\/(?!attachcheck\/)(@[^/]+\/[^/]+|[^/]+)\//.exec(path) ?? [];
    return name ?? relative(join(program, 'dist'), path).replaceAll(sep, '/');
  });
}

/** Whether a module can only be there to do the work of a command. */
const WORKS = /^(?:checker|properties|conformance|kernels|model\/(?!core\/|abi\/)\w+)\//;

test.each([[['--version']], [['--help']], [['help', 'explore']]])(
  '%s loads the declared commands, and nothing that runs one',
  (args) => {
    const loaded = loadedBy(args);
    expect(loaded).toContain('commands/explore/explore-command.js');
    expect(loaded.filter((name) => WORKS.test(name))).toEqual([]);
    expect(packagesIn(loaded)).toEqual(['commander', 'fastest-levenshtein']);
  },
);

/** Commands that read tables: shells ask for their completion whenever they start. */
test.each([[['completion', 'bash']], [['why', 'EBUSY']]])(
  '%s loads no model, no search and no law',
  (args) => {
    const loaded = loadedBy(args);
    const step = loaded.filter((name) =>
      /^(?:checker|properties|model\/(?:client|ftrace|x86)|model\/step)/.test(name),
    );
    expect(step).toEqual([]);
    expect(packagesIn(loaded)).toEqual(['commander', 'fastest-levenshtein']);
  },
);

test('a command that runs the model loads it: the list of modules is the whole list', () => {
  const trace = 'node_modules/attachcheck/docs/examples/why-busy.calls';
  expect(loadedBy(['why', join(folder, trace)])).toEqual(
    expect.arrayContaining(['iced-x86', 'immer', 'fast-check', 'model/step.js']),
  );
});

function packagesIn(loaded: readonly string[]): string[] {
  return [...new Set(loaded.filter((name) => !name.endsWith('.js') && !name.startsWith('node:')))].sort();
}
