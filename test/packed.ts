import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { sources, TOP } from './sources.ts';

/** The package as it is published, put where projects find it. */
export interface Packed {
  /** A folder below which `attachcheck` and all packages of the checkout can be imported, and started from its `bin`. */
  readonly folder: string;
  /** Files of the tarball, from its top. */
  readonly files: readonly string[];
}

/**
 * Packs the checkout and unpacks the tarball into `node_modules` of a folder. Its dependencies are those of the checkout: no
 * registry is asked. What would be compiled is compiled file by file, in a second instead of half a minute, and without types.
 */
export async function packed(folder: string): Promise<Packed> {
  const made = join(folder, 'package');
  mkdirSync(made);
  for (const name of readdirSync(TOP))
    if (!NOT_COPIED.includes(name)) cpSync(join(TOP, name), join(made, name), { recursive: true });
  await compile(join(made, 'dist'));
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--offline', '--silent'], {
    cwd: made,
    encoding: 'utf8',
  });
  const [{ filename, files }] = JSON.parse(said) as [{ filename: string; files: { path: string }[] }];
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'attachcheck'), { recursive: true });
  for (const name of readdirSync(join(TOP, 'node_modules')))
    symlinkSync(join(TOP, 'node_modules', name), join(modules, name));
  execFileSync('tar', ['xzf', filename, '-C', join(modules, 'attachcheck'), '--strip-components=1'], {
    cwd: made,
  });
  mkdirSync(join(folder, 'bin'));
  const program = join(modules, 'attachcheck/dist/main.js');
  chmodSync(program, 0o755);
  symlinkSync(program, join(folder, 'bin/attachcheck'));
  return { folder, files: files.map(({ path }) => path) };
}

const NOT_COPIED = ['node_modules', 'dist', '.git', '.cache'];

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
