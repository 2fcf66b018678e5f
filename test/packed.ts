import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { bundleProgram } from '../commands/program/bundle-program.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

/** The package, put where projects find it. */
export interface Packed {
  /** A folder below which `attachcheck` and all packages of the checkout can be imported, and started from its `bin`. */
  readonly folder: string;
  /** Files of the tarball, from its top; undefined when the package was not packed. */
  readonly files: readonly string[] | undefined;
}

/**
 * Puts the package into `node_modules` of a folder: with `npm run thorough` packs the checkout and unpacks the tarball, else
 * links what its package.json names, which takes a fraction of the time. Its dependencies are those of the checkout: no registry is queried.
 * What would be compiled is compiled file by file, in a second instead of half a minute, and without types.
 */
export async function packed(folder: string): Promise<Packed> {
  const modules = join(folder, 'node_modules');
  const unpacked = join(modules, 'attachcheck');
  mkdirSync(modules);
  for (const name of readdirSync(join(TOP, 'node_modules')))
    symlinkSync(join(TOP, 'node_modules', name), join(modules, name));
  const made = THOROUGH ? join(folder, 'package') : unpacked;
  mkdirSync(made);
  if (THOROUGH)
    for (const name of readdirSync(TOP).filter(isOurs))
      cpSync(join(TOP, name), join(made, name), { recursive: true });
  else for (const name of published()) symlinkSync(join(TOP, name), join(made, name));
  await compile(join(made, 'dist'));
  await bundleProgram(join(made, 'dist'));
  const files = THOROUGH ? throughTarball(made, unpacked) : undefined;
  mkdirSync(join(folder, 'bin'));
  const program = join(unpacked, 'dist/main.js');
  chmodSync(program, 0o755);
  symlinkSync(program, join(folder, 'bin/attachcheck'));
  return { folder, files };
}

/** Packs what was made, and unpacks it; gives the files of the tarball. */
function throughTarball(made: string, unpacked: string): readonly string[] {
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline', '--silent'], {
    cwd: made,
    encoding: 'utf8',
  });
  const [{ filename, files }] = JSON.parse(said) as [{ filename: string; files: { path: string }[] }];
  mkdirSync(unpacked);
  execFileSync('tar', ['xzf', filename, '-C', unpacked, '--strip-components=1'], { cwd: made });
  return files.map(({ path }) => path);
}

function isOurs(name: string): boolean {
  return !['node_modules', 'dist', '.git', '.cache'].includes(name);
}

/** The top of the package, by its package.json; files that npm excludes are left in. */
function published(): readonly string[] {
  const { files } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8')) as { files: string[] };
  return ['package.json', 'README.md', ...files.filter((name) => isOurs(name) && !name.startsWith('!'))];
}

/** What `npm run build` makes, but for types. */
async function compile(dist: string): Promise<void> {
  const { include } = JSON.parse(readFileSync(join(TOP, 'tsconfig.build.json'), 'utf8')) as {
    include: string[];
  };
  const built = sources('.ts').filter(
    ({ path }) =>
      !path.endsWith('.test.ts') && include.some((top) => path === top || path.startsWith(`${top}/`)),
  );
  await Promise.all(
    built.map(async ({ path, text }) => {
      const { code } = await transform(text, { loader: 'ts', target: 'node20', sourcefile: path });
      const file = join(dist, path.replace(/\.ts$/, '.js'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code.replace(/((?:from|import) ?\(?["']\.[^"']+)\.ts(?=["'])/g, '$1.js'));
    }),
  );
}
