import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Bootable } from '../boot/guest.ts';
import { bootableIn, cacheFolder } from '../cache.ts';
import { DRIVER_FLAGS, LIVE_PATCH, writeSources } from '../setup/build.ts';
import { keyOf, recorderKey } from '../setup/recorder-key.ts';
import type { Tool } from '../setup/tools.ts';
import { EMULATOR, requireTools, runTool } from '../setup/tools.ts';
import { uncompressed } from '../setup/uncompressed.ts';
import type { OwnKernel } from './tree.ts';

/*
 * The recorder for a user's kernel, built with the machine's compiler into a folder of the cache, and again whenever
 * the kernel is. No file of the tree is written, and nothing needs root.
 */

/** What a build needs beside the emulator. */
const BUILDING: readonly Tool[] = [
  { program: 'make', package: 'make' },
  { program: 'gcc', package: 'gcc' },
  { program: 'ld', package: 'binutils' },
  { program: 'objcopy', package: 'binutils' },
  { program: 'strip', package: 'binutils' },
  { program: 'pahole', package: 'dwarves' },
];

/** Those of a tree that clang has built. */
const CLANG: readonly Tool[] = [
  { program: 'clang', package: 'clang' },
  { program: 'ld.lld', package: 'lld' },
];

/** Throws where a program is missing that a build for a kernel, or its boot, needs. */
export function requireBuilding({ clang }: OwnKernel): void {
  requireTools([...EMULATOR, ...BUILDING, ...(clang ? CLANG : [])]);
}

/**
 * The files of a boot: those of an earlier call, if the kernel and the recorder are the same. A folder that was built
 * is never replaced: another run may be booting it.
 */
export function* bootableOf(kernel: OwnKernel): Generator<string, Bootable> {
  requireBuilding(kernel);
  const all = join(cacheFolder(), 'own');
  const folder = join(all, keyOf(`${kernel.headers} ${kernel.image} ${kernel.release} ${stampOf(kernel)}`));
  if (!existsSync(folder)) {
    yield `building the recorder for ${kernel.release}`;
    mkdirSync(all, { recursive: true });
    const made = mkdtempSync(join(all, 'new-'));
    try {
      build(kernel, made);
      moveTo(made, folder);
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }
  return { ...bootableIn(folder), image: kernel.image };
}

/** Another run may have built the same meanwhile: then that stays. */
function moveTo(made: string, folder: string): void {
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** The times of the kernel's files and the sources of the recorder. */
function stampOf({ headers, image, vmlinux }: OwnKernel): string {
  const files = [image, ...(vmlinux === undefined ? [] : [vmlinux]), join(headers, '.config')];
  const times = files.map((file) => `${file} ${statSync(file).size} ${statSync(file).mtimeMs}`);
  return [...times, recorderKey()].join('\n');
}

const MODULES = [
  ['attachcheck.ko', 'recorder.ko'],
  ['attachcheck_second.ko', 'second.ko'],
] as const;

function build(kernel: OwnKernel, folder: string): void {
  const sources = join(folder, 'build');
  writeSources(sources);
  makeModules(kernel, sources);
  const types = kernel.vmlinux ?? unpackedIn(kernel, folder);
  for (const [built, name] of MODULES) {
    const module = join(sources, built);
    addBtf(module, types);
    stripModule(module, join(folder, name));
  }
  const livePatch = join(sources, LIVE_PATCH);
  if (existsSync(livePatch)) stripModule(livePatch, join(folder, 'livepatch.ko'));
  else writeFileSync(join(folder, 'livepatch.ko'), '');
  linkAlone(join(sources, 'driver'), join(folder, 'init'));
  rmSync(sources, { recursive: true, force: true });
}

export function makeModules({ headers, clang }: OwnKernel, sources: string): void {
  // Without Module.symvers modpost knows no symbol; the module loader does.
  const options = ['KBUILD_MODPOST_WARN=1', ...(clang ? ['LLVM=1'] : [])];
  runTool('make', ['-C', headers, `M=${sources}`, ...options, 'modules']);
}

export function stripModule(module: string, to: string): void {
  runTool('strip', ['--strip-debug', '-o', to, module]);
}

/** The types of a module refer to those of the kernel; they are written again, so that no id is renumbered when it is loaded. */
function addBtf(module: string, vmlinux: string): void {
  runTool('objcopy', ['-R', '.BTF', '-R', '.BTF.base', module]);
  runTool('env', ['LLVM_OBJCOPY=objcopy', 'pahole', '-J', '--btf_base', vmlinux, module]);
}

function unpackedIn({ image }: OwnKernel, folder: string): string {
  const vmlinux = join(folder, 'vmlinux');
  writeFileSync(vmlinux, uncompressed(readFileSync(image)));
  return vmlinux;
}

/** A first process of a guest: the C files of a folder, linked with no library at all. */
export function linkAlone(sources: string, to: string): void {
  const units = readdirSync(sources).filter((name) => name.endsWith('.c'));
  runTool('gcc', [...DRIVER_FLAGS.split(' '), '-c', ...units], sources);
  runTool('ld', ['-static', '-o', to, ...units.map((name) => name.replace(/c$/, 'o'))], sources);
}
