import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { NO_DESIGN } from '../../model/trampoline/designs/chosen.ts';
import { version } from '../line/project.ts';
import type { DesignNames } from './design-skeleton.ts';
import { designModule, designTest, namesOf } from './design-skeleton.ts';

/**
 * Where it is written: into the tree, or as its own project into a directory; and what the program lacks to load it
 * from there.
 */
export type Place =
  | { readonly tree: string }
  | { readonly folder: string; readonly lacks?: string | undefined };

/**
 * Writes the files of a new design. Throws an InputError when its name is taken or invalid, or a file exists already.
 */
export function newDesign(name: string, place: Place): Answer {
  requireName(name);
  const names = namesOf(name);
  const { files, next } = 'tree' in place ? inTree(names, place.tree) : asProject(names, place);
  for (const [path, { text, isNew }] of Object.entries(files))
    if (isNew && existsSync(path)) throw new InputError(`${path} exists already: ${shortened(text)}`);
  for (const [path, { text }] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const lines = Object.entries(files).map(([path, { isNew }]) => `${isNew ? 'wrote  ' : 'changed'} ${path}`);
  return {
    text: [...lines, '', ...next, '', ...AS_SINGLE_LINKS].join('\n'),
    json: { command: 'new', exit: EXIT.HELD, name, files: Object.keys(files), next },
    exit: EXIT.HELD,
    save: [],
  };
}

function shortened(text: string): string {
  return `${text.split('\n').length} lines would overwrite it`;
}

function requireName(name: string): void {
  if (!/^[a-z][a-z0-9]*([ -][a-z0-9]+)*$/.test(name))
    throw new InputError(`"${name}" is not a name of a design: use lower-case words, like: two at once`);
  if (name === NO_DESIGN || DESIGNS.some((design) => design.name === name))
    throw new InputError(`a design ${name} exists already`);
}

/** The text for a check of the new design as it is written. */
const AS_SINGLE_LINKS = [
  "It attaches as single links do, and says so (like: 'one by one'): their known",
  'breaches are listed for it, too. Drop the field when it attaches in another way.',
];

/** The files to write, and the commands that come next. */
interface Written {
  readonly files: Readonly<Record<string, WrittenFile>>;
  readonly next: readonly string[];
}

interface WrittenFile {
  readonly text: string;
  /** It must not be there yet. */
  readonly isNew: boolean;
}

const FOLDER = 'model/trampoline/designs';

function inTree(names: DesignNames, top: string): Written {
  const { name, file } = names;
  const changed = (path: string, change: (text: string) => string): [string, WrittenFile] => [
    join(top, path),
    { text: change(readFileSync(join(top, path), 'utf8')), isNew: false },
  ];
  const made = (path: string, text: string): [string, WrittenFile] => [
    join(top, path),
    { text, isNew: true },
  ];
  return {
    files: Object.fromEntries([
      made(`${FOLDER}/${file}.ts`, designModule(names, 'model')),
      made(`${FOLDER}/${file}.test.ts`, designTest(names, 'model')),
      changed(`${FOLDER}/all.ts`, (text) => listed(text, names)),
      changed('docs/adding-a-design.md', (text) =>
        behindTable(
          text,
          '| `program sets` |',
          `| \`${name}\` | each function has its own image | none | 6.1, 6.12, 7.2 |`,
        ),
      ),
      changed('model/README.md', (text) =>
        behindTable(
          text,
          '| `trampoline/designs/program-sets.ts`',
          `| \`trampoline/designs/${file}.ts\` | none: ${name} |`,
        ),
      ),
    ]),
    next: [
      `next: npm run check -- --kernel '${name}'`,
      `      npm test -- ${FOLDER}/${file}.test.ts`,
      `      UPDATE=1 npm run designs   (its column in docs/designs.md)`,
    ],
  };
}

/** The list of designs with one added, and its import where the formatter puts it. */
function listed(text: string, { file, variable }: DesignNames): string {
  const lines = text.split('\n');
  const own = `import { ${variable} } from './${file}.ts';`;
  const isDesign = (line: string) => /^import \{ .* \} from '\.\/(?!design\.ts)/.test(line);
  const pathIn = (line: string) => /'(.*)'/.exec(line)?.[1] ?? '';
  const last = lines.findLastIndex(isDesign);
  const behind = lines.findIndex((line) => isDesign(line) && pathIn(line) > `./${file}.ts`);
  const withImport = lines.toSpliced(behind < 0 ? last + 1 : behind, 0, own);
  const end = withImport.indexOf('];');
  if (last < 0 || end < 0) throw new Error('all.ts has no list of designs');
  return withImport.toSpliced(end, 0, `  ${variable},`).join('\n');
}

/** A row after the one that begins so. */
function behindTable(text: string, row: string, own: string): string {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.startsWith(row));
  if (index < 0) throw new Error(`there is no row ${row}`);
  return lines.toSpliced(index + 1, 0, own).join('\n');
}

function asProject(names: DesignNames, { folder, lacks }: Extract<Place, { folder: string }>): Written {
  const { name, file } = names;
  const description = {
    name: file,
    private: true,
    type: 'module',
    scripts: { start: `attachcheck --with ${file}.ts --kernel '${name}'`, test: 'vitest run' },
    dependencies: { attachcheck: `^${version()}`, 'fast-check': '^4.10.2' },
    devDependencies: { tsx: '^4.23.15', typescript: '^6.0.0', vitest: '^4.1.12' },
  };
  const texts = {
    'package.json': `${JSON.stringify(description, undefined, 2)}\n`,
    [`${file}.ts`]: designModule(names, 'package'),
    [`${file}.spec.ts`]: designTest(names, 'package'),
  };
  return {
    files: Object.fromEntries(
      Object.entries(texts).map(([path, text]) => [join(folder, file, path), { text, isNew: true }]),
    ),
    next: [
      `next: cd ${file} && npm install && npm start`,
      '      npm test',
      ...(lacks === undefined
        ? []
        : wrap(`without npm install there, --with ${file}.ts fails: ${lacks}`, WIDTH)),
    ],
  };
}
