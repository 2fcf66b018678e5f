import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../model/core/input-error.ts';
import { CATALOGUE, GUEST_TRACEPOINTS } from '../catalogue.ts';
import type { Release } from '../releases.ts';
import { functionsInC } from './functions-in-c.ts';
import { runTool } from './tools.ts';
import { uncompressed } from './uncompressed.ts';

/*
 * The recorder's modules and its driver, built among unpacked packages with the compiler that the headers name. A new
 * namespace of users and mounts replaces root.
 */

/** The sources are beside this folder, or, of a compiled package, in the folder that has it. */
export const [GUEST = ''] = ['../guest', '../../../kernels/guest']
  .map((path) => join(import.meta.dirname, path))
  .filter(existsSync);
/** Where the sources are inside. */
const BUILD = '/build';

/** Of kernels with `CONFIG_LIVEPATCH`. */
export const LIVE_PATCH = 'attachcheck_livepatch00.ko';

/** Kilobytes that one program may take: a runaway is ended, and not the machine. */
const MEMORY_MOST = 4_000_000;

/** Builds all, and puts down what a boot needs. */
export function buildRecorder({ release, image }: Release, root: string, folder: string): void {
  const build = join(root, BUILD);
  writeSources(build);
  const headers = `/usr/src/linux-headers-${release}`;
  inside(root, `make -C ${headers} M=${BUILD} modules`);
  copyFileSync(join(root, image), join(folder, 'vmlinuz'));
  addBtf(root, { headers, image });
  inside(root, `cd ${BUILD} && x86_64-linux-gnu-strip --strip-debug *.ko`);
  linkDriver(root, `${BUILD}/driver`);
  copyFileSync(join(build, 'attachcheck.ko'), join(folder, 'recorder.ko'));
  copyFileSync(join(build, 'attachcheck_second.ko'), join(folder, 'second.ko'));
  copyFileSync(join(build, LIVE_PATCH), join(folder, 'livepatch.ko'));
  copyFileSync(join(build, 'driver/init'), join(folder, 'init'));
}

/** The sources of the recorder and what is generated for them, in a folder of their own. */
export function writeSources(build: string): void {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build, { recursive: true });
  cpSync(GUEST, build, { recursive: true });
  for (const [name, text] of Object.entries(functionsInC(CATALOGUE, GUEST_TRACEPOINTS)))
    writeFileSync(join(build, name === 'table.h' ? `driver/${name}` : name), text);
}

/** Runs a line of a shell inside the unpacked packages. */
function inside(root: string, line: string): void {
  const mounts = ['dev', 'proc'].map((name) => `mount --rbind /${name} ${root}/${name}`);
  const script = [...mounts, `ulimit -v ${MEMORY_MOST}`, `exec chroot ${root} /bin/sh -c '${line}'`].join(
    ' && ',
  );
  runTool('unshare', ['--map-root-user', '--mount', 'sh', '-c', script]);
}

/** The compiler of the packages. */
function compilerIn(root: string): string {
  const found = readdirSync(join(root, 'usr/bin')).find((name) => /^x86_64-linux-gnu-gcc-\d+$/.test(name));
  if (found === undefined) throw new InputError(`there is no compiler in ${root}/usr/bin`);
  return found;
}

/** How the driver is compiled. */
export const DRIVER_FLAGS =
  '-O2 -Wall -Wextra -ffreestanding -fno-stack-protector -fno-pic -fno-pie -mno-sse -fno-asynchronous-unwind-tables';

/** The driver is linked with no library at all. */
function linkDriver(root: string, folder: string): void {
  const compiler = compilerIn(root);
  inside(
    root,
    `cd ${folder} && ${compiler} ${DRIVER_FLAGS} -c *.c && x86_64-linux-gnu-ld -static -o init *.o`,
  );
}

/** Builds a module of one source file as `bundle.ko` of a folder, and its loader as `init`; gives the image. */
export function buildBundle(
  { release, image }: Release,
  root: string,
  { sources, name, folder }: { readonly sources: string; readonly name: string; readonly folder: string },
): string {
  const build = join(root, BUILD);
  rmSync(build, { recursive: true, force: true });
  cpSync(sources, build, { recursive: true });
  inside(root, `make -C /usr/src/linux-headers-${release} M=${BUILD} modules`);
  inside(root, `cd ${BUILD} && x86_64-linux-gnu-strip --strip-debug ${name}.ko`);
  copyFileSync(join(build, `${name}.ko`), join(folder, 'bundle.ko'));
  writeLoader(build);
  linkDriver(root, `${BUILD}/loader`);
  copyFileSync(join(build, 'loader/init'), join(folder, 'init'));
  return join(root, image);
}

/** The sources of the first process of a guest that loads one module, in a folder of their own, with the driver's own library. */
export function writeLoader(folder: string): void {
  cpSync(join(GUEST, 'loader'), join(folder, 'loader'), { recursive: true });
  for (const name of ['driver/runtime.c', 'driver/runtime.h', 'recorder.h'])
    cpSync(join(GUEST, name), join(folder, name.replace('driver/', 'loader/')));
}

/**
 * The types of a module refer to those of the kernel, which are beside its headers or, of 6.1, in the image alone. They
 * are written again: a build of 7.2 refers to a copy of what it needs (`.BTF.base`), and the kernel would then renumber
 * ids that the driver has read from the kernel already.
 */
function addBtf(
  root: string,
  { headers, image }: { readonly headers: string; readonly image: string },
): void {
  const beside = join(headers, 'vmlinux');
  const isBeside = existsSync(join(root, beside));
  if (!isBeside) writeFileSync(join(root, BUILD, 'vmlinux'), uncompressed(readFileSync(join(root, image))));
  const base = isBeside ? beside : 'vmlinux';
  for (const module of ['attachcheck.ko', 'attachcheck_second.ko'])
    inside(
      root,
      `cd ${BUILD} && ${OBJCOPY} -R .BTF -R .BTF.base ${module} && LLVM_OBJCOPY=${OBJCOPY} pahole -J --btf_base ${base} ${module}`,
    );
}

const OBJCOPY = 'x86_64-linux-gnu-objcopy';
