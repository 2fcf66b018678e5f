import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InputError } from '../../model/core/input-error.ts';
import { HARMFUL_OPTIONS, NEEDED_OPTIONS } from './options.ts';

/** What a user names: a tree that was built, or an image and what modules are built against. */
export type NamedKernel = { readonly tree: string } | { readonly image: string; readonly headers: string };

/** A user's kernel, checked: its image boots, and modules can be built for it. */
export interface OwnKernel {
  /** The folder that `make M=...` is run in. */
  readonly headers: string;
  readonly image: string;
  /** The kernel with its types; undefined: it is unpacked from the image. */
  readonly vmlinux: string | undefined;
  /** `uname -r`. */
  readonly release: string;
  readonly clang: boolean;
}

/** Throws an InputError of one sentence that names the file or the option that is missing. */
export function ownKernel(named: NamedKernel): OwnKernel {
  const headers = resolve('tree' in named ? named.tree : named.headers);
  const image = 'tree' in named ? join(headers, 'arch/x86/boot/bzImage') : resolve(named.image);
  requireFile(headers, `there is no folder ${headers}`);
  const config = configIn(headers);
  requireOptions(headers, config);
  requireFile(image, `${image} is missing: make bzImage`);
  const vmlinux = join(headers, 'vmlinux');
  if ('tree' in named) requireFile(vmlinux, `${vmlinux} is missing: make bzImage`);
  requireFile(
    join(headers, 'scripts/mod/modpost'),
    `${headers} is not prepared for modules: make modules_prepare`,
  );
  return {
    headers,
    image,
    vmlinux: existsSync(vmlinux) ? vmlinux : undefined,
    release: releaseIn(headers),
    clang: isSet(config, 'CONFIG_CC_IS_CLANG'),
  };
}

function requireFile(path: string, problem: string): void {
  if (!existsSync(path)) throw new InputError(problem);
}

function configIn(headers: string): string {
  const path = join(headers, '.config');
  requireFile(path, `${path} is missing: the tree is not configured (docs/your-kernel.md)`);
  return readFileSync(path, 'utf8');
}

function requireOptions(headers: string, config: string): void {
  const missing = NEEDED_OPTIONS.filter(({ option }) => !isSet(config, option));
  const harmful = HARMFUL_OPTIONS.filter(({ option }) => isSet(config, option));
  const [first] = [...missing, ...harmful];
  if (first === undefined) return;
  const names = (options: typeof missing) => options.map(({ option }) => option).join(', ');
  const problems = [
    ...(missing.length > 0 ? [`lacks ${names(missing)}`] : []),
    ...(harmful.length > 0 ? [`must not have ${names(harmful)}`] : []),
  ].join(' and ');
  throw new InputError(`${join(headers, '.config')} ${problems} (${first.for}): docs/your-kernel.md`);
}

/** Tasks are stopped where a scheduler may preempt them: without that, grace periods of RCU would wait for each. */
export function requirePreemption({ headers }: Pick<OwnKernel, 'headers'>): void {
  if (/^CONFIG_PREEMPT(_DYNAMIC|_RT)?=y$/m.test(configIn(headers))) return;
  throw new InputError(
    `${join(headers, '.config')} lacks CONFIG_PREEMPT or CONFIG_PREEMPT_DYNAMIC (tasks are stopped where they may be preempted): docs/your-kernel.md`,
  );
}

function isSet(config: string, option: string): boolean {
  return new RegExp(`^${option}=y$`, 'm').test(config);
}

function releaseIn(headers: string): string {
  const path = join(headers, 'include/config/kernel.release');
  requireFile(path, `${path} is missing: make modules_prepare`);
  return readFileSync(path, 'utf8').trim();
}
