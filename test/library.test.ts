import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, describe, expect, test } from 'vitest';
import { configured, programWith } from './compiler.ts';
import { compilerMessages, examplesOf } from './example.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

const CONSUMER = sources('test/consumer.ts')[0]!.text;
const LIBRARY = sources('library.ts').find(({ path }) => path === 'library.ts')!.text;
const PACKAGE = sources('package.json').find(({ path }) => path === 'package.json')!.text;

const { text: DOCUMENT, examples: EXAMPLES } = examplesOf('docs/library.md');

/** The names exported or imported in braces with `from` this. */
function namesIn(text: string, how: RegExp): string[] {
  return [...text.matchAll(how)]
    .flatMap(([, list]) => list!.split(',').map((name) => name.trim()))
    .filter(Boolean);
}

const EXPORTED = namesIn(LIBRARY, /^export (?:type )?\{([^}]*)\} from/gm).sort();

/** Lines that are wrong, by what the compiler says of them. */
const WRONG: Readonly<Record<string, string>> = {
  'judge(1);': "Argument of type 'number' is not assignable to parameter of type 'AttachCase'.",
  "boot('6.12', [1]);": "Type 'number' is not assignable to type 'Declaration'.",
  "act(boot('6.12', []), { do: 'nothing' });": `Type '"nothing"' is not assignable to type`,
  "call(boot('6.12', []));": 'Expected 2 arguments, but got 1.',
  "scenario({ profile: '6.12', functions: [] });": "Property 'clients' is missing in type",
  "explore('client#1: register_kprobe(kprobe#1, f1)');":
    "Argument of type 'string' is not assignable to parameter of type 'Scenario'.",
  "generateImage({ kernel: '6.12', signature: 'u64 -> u64' });": "Property 'programs' is missing in type",
  "judgeImage(generateImage({ kernel: '6.12', signature: '', programs: '' }));":
    "Argument of type 'TrampolineImage | NoImage' is not assignable",
  "registerLaw('stubs', NEVER_BUSY);": `Argument of type '"stubs"' is not assignable to parameter of type 'keyof Boards'.`,
  "registerLaw('interleavings', NEVER_BUSY);":
    "Type 'TaskMoment' is missing the following properties from type 'Moment'",
  'registerDesign({ ...MINE, attach: undefined });':
    "Type 'undefined' is not assignable to type 'Routine<BpfWorld, LinkArgs>'.",
  "registerProfile('mine', { kernel: '6.12' });":
    "Argument of type '{ kernel: \"6.12\"; }' is not assignable to parameter of type 'Profile'.",
  "boot('6.12', []).profile = '7.2';": "Cannot assign to 'profile' because it is a read-only property.",
};

const WITH_WRONG_LINES = `${CONSUMER}\n${Object.keys(WRONG).join('\n')}\n`;

test('a consumer uses every name of the library', () => {
  expect(EXPORTED.length).toBeGreaterThan(70);
  expect(namesIn(CONSUMER, /^import (?:type )?\{([^}]*)\} from 'attachcheck'/gm).sort()).toEqual(EXPORTED);
});

test('the document has a row for every name of the library, and for nothing else', () => {
  const rows = [...DOCUMENT.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name!);
  expect(rows.sort()).toEqual(EXPORTED);
});

describe('what the compiler says of a consumer', () => {
  test.runIf(THOROUGH)(
    'of the source: of each wrong line what is wrong with it, and nothing of the examples of the document',
    () => {
      const examples = EXAMPLES.map((code, i) => [`docs/example-${i + 1}.ts`, code] as const);
      expectMessages(
        compilerMessages({ ...Object.fromEntries(examples), 'test/consumer.ts': WITH_WRONG_LINES }),
      );
    },
  );

  test.runIf(THOROUGH).each([false, true])(
    'of the declarations that are published: the same (exactOptionalPropertyTypes %s)',
    (exactOptionalPropertyTypes) => {
      const { messages, packages } = published(exactOptionalPropertyTypes);
      expectMessages(messages);
      const { dependencies, peerDependencies } = JSON.parse(PACKAGE) as Needs;
      const needed = [...Object.keys(dependencies), ...Object.keys(peerDependencies)];
      expect(packages.filter((name) => !needed.includes(name))).toEqual([]);
    },
  );
});

interface Needs {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

function expectMessages(messages: readonly string[]): void {
  expect(messages.map((message, i) => [message, Object.values(WRONG)[i]])).toEqual(
    Object.values(WRONG).map((wrong) => [expect.stringContaining(wrong), wrong]),
  );
}

/** A project beside this one, in which the package is installed as it is published; only the peers are those of this one. */
const ELSEWHERE = 'build/consumer';
let declarations: ReadonlyMap<string, string> | undefined;

/** What the compiler says of a consumer elsewhere, its library included, and the packages that the library's declarations import. */
function published(exactOptionalPropertyTypes: boolean) {
  declarations ??= emitted();
  const path = `${ELSEWHERE}/consumer.ts`;
  const root = join(TOP, path);
  const program = programWith(
    new Map([
      ...declarations,
      [path, WITH_WRONG_LINES],
      [`${ELSEWHERE}/package.json`, '{ "type": "module" }'],
    ]),
    [root],
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      exactOptionalPropertyTypes,
      noEmit: true,
      types: [],
    },
  );
  const messages = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/attachcheck/dist/'));
  const imports = own.flatMap(({ text }) => [
    ...text.matchAll(/(?:from |import\()['"]((?:@[^/'"]+\/)?[^./'"][^/'"]*)/g),
  ]);
  const packages = [...new Set(imports.map(([, name]) => name!))];
  expect(packages).toContain('fast-check');
  return { messages, packages };
}

/** The declarations that the build writes, where a consumer has them installed. */
function emitted(): ReadonlyMap<string, string> {
  const { options } = configured('tsconfig.build.json');
  const program = programWith(new Map(), [join(TOP, 'library.ts')], {
    ...options,
    emitDeclarationOnly: true,
  });
  const installed = `${ELSEWHERE}/node_modules/attachcheck`;
  const texts = new Map([[`${installed}/package.json`, PACKAGE]]);
  const { diagnostics } = program.emit(undefined, (name, text) => {
    texts.set(`${installed}/${name.slice(TOP.length + 1)}`, text);
  });
  expect(diagnostics).toEqual([]);
  return texts;
}

/** The examples stand outside of the project, and import what they would import from there; the tests in them are tests here. */
const FOLDER = mkdtempSync(join(tmpdir(), 'attachcheck-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const INSTALLED: Readonly<Record<string, string>> = {
  attachcheck: pathToFileURL(join(TOP, 'library.ts')).href,
  'fast-check': import.meta.resolve('fast-check'),
  vitest: import.meta.resolve('vitest'),
};

for (const [i, code] of EXAMPLES.entries()) {
  const path = join(FOLDER, `example-${i + 1}.mts`);
  writeFileSync(
    path,
    code.replace(/from '([^']+)'/g, (_, name: string) => `from '${INSTALLED[name]}'`),
  );
  await import(pathToFileURL(path).href);
}
