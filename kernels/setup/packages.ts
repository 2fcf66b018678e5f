import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../model/core/input-error.ts';
import type { Release } from '../releases.ts';
import { runTool } from './tools.ts';

/*
 * Packages of a distribution, unpacked into a folder: with an apt of its own (own sources, own state, nothing installed),
 * so that neither the machine's packages nor its lists change, and root is not needed.
 */

/** Programs that a build of a module runs, besides the compiler that the headers depend on. */
const BUILDING = ['make', 'dwarves', 'dash', 'coreutils', 'sed', 'grep', 'mawk', 'findutils', 'diffutils'];
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Fetches a kernel, its headers and the compiler that they name, and unpacks them. */
export function fetchPackages({ release, suites, package: kernel }: Release, folder: string): string {
  const root = join(folder, 'root');
  const options = aptFolder(folder, suites);
  runTool('apt-get', [...options, 'update']);
  requirePackage(kernel, options);
  const wanted = [kernel, `linux-headers-${release}`, ...BUILDING];
  runTool('apt-get', [...options, '-y', '--download-only', 'install', ...wanted]);
  mkdirSync(root, { recursive: true });
  const archives = join(folder, 'cache/archives');
  for (const name of readdirSync(archives))
    if (name.endsWith('.deb')) runTool('dpkg-deb', ['-x', join(archives, name), root]);
  link(root);
  return root;
}

/** The folders of an apt that knows these suites alone, and its options. */
function aptFolder(folder: string, suites: readonly string[]): string[] {
  for (const sub of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, sub), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  const sources = suites.map(
    (suite) => `deb [arch=amd64 signed-by=${KEYS}] ${mirrorOf(suite)} ${suite} main\n`,
  );
  writeFileSync(join(folder, 'sources.list'), sources.join(''));
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::status': join(folder, 'status'),
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'APT::Sandbox::User': 'root',
    'APT::Architecture': 'amd64',
    'APT::Architectures': 'amd64',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
    'Debug::NoLocking': '1',
  };
  return ['-qq', ...Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])];
}

/** The mirror that this machine is configured with has the other suites too; `ATTACHCHECK_MIRROR` names another one. */
function mirrorOf(suite: string): string {
  const targets = runTool('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE)',
    'Created-By: Packages',
  ])
    .split('\n')
    .map((line) => line.split(' '));
  const isSecurity = suite.endsWith('-security');
  const of = (wanted: (name: string) => boolean) => targets.find(([, name = '']) => wanted(name))?.[0];
  const main =
    process.env['ATTACHCHECK_MIRROR'] ??
    of((name) => /^(bookworm|trixie|forky|sid|stable|testing|unstable)$/.test(name));
  const security = isSecurity ? of((name) => name.endsWith('-security')) : undefined;
  if (main === undefined)
    throw new InputError(
      'this machine has no Debian source for apt; set ATTACHCHECK_MIRROR to the address of a mirror',
    );
  return isSecurity ? (security ?? `${main.replace(/\/$/, '')}-security`) : main;
}

/** A point release is in a suite until the next one replaces it. */
function requirePackage(name: string, options: readonly string[]): void {
  if (runTool('apt-cache', [...options, 'pkgnames', name]).includes(name)) return;
  throw new InputError(
    `Debian no longer has ${name}: a newer point release of this kernel is not the recorded one`,
  );
}

/** What the scripts of packages would do: links into /usr, and an awk. */
function link(root: string): void {
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (!existsSync(join(root, name))) symlinkSync(`usr/${name}`, join(root, name));
  linkTool(join(root, 'usr/bin'), 'awk', 'mawk');
  // The compiler runs them by these names, which another package has, and which it need not depend on.
  for (const name of ['as', 'ld']) linkTool(join(root, 'usr/bin'), name, `x86_64-linux-gnu-${name}`);
  for (const name of ['dev', 'proc', 'tmp']) mkdirSync(join(root, name), { recursive: true });
}

function linkTool(folder: string, name: string, to: string): void {
  if (!existsSync(join(folder, name))) symlinkSync(to, join(folder, name));
}
