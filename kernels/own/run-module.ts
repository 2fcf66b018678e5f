import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpio, DATA, PROGRAM } from '../boot/cpio.ts';
import { EMULATOR_PROGRAM, MACHINE } from '../boot/guest.ts';
import { DRIVER_FLAGS, GUEST } from '../setup/build.ts';
import { EMULATOR, requireTools, runTool } from '../setup/tools.ts';
import { BUILDING, CLANG } from './build.ts';
import type { OwnKernel } from './tree.ts';

/** What a module has printed: the lines of the console from its first, and how the kernel ended. */
export interface ModuleRun {
  readonly console: readonly string[];
  readonly end: 'continues' | 'crashes' | 'hangs';
}

const SECONDS_MOST = 90;
const COMMAND_LINE = 'console=ttyS0 nokaslr tsc=reliable no_timer_check panic=-1 oops=panic loglevel=7';

/** Builds a module of one source file against a user's kernel, boots that, and loads it. */
export function* ranModule(kernel: OwnKernel, sources: string, name: string): Generator<string, ModuleRun> {
  requireTools([...EMULATOR, ...BUILDING, ...(kernel.clang ? CLANG : [])]);
  const folder = mkdtempSync(join(tmpdir(), 'attachcheck-module-'));
  try {
    yield `building ${name} for ${kernel.release}`;
    cpSync(sources, join(folder, 'module'), { recursive: true });
    const options = ['KBUILD_MODPOST_WARN=1', ...(kernel.clang ? ['LLVM=1'] : [])];
    runTool('make', ['-C', kernel.headers, `M=${join(folder, 'module')}`, ...options, 'modules']);
    runTool('strip', [
      '--strip-debug',
      '-o',
      join(folder, 'bundle.ko'),
      join(folder, 'module', `${name}.ko`),
    ]);
    buildLoader(folder);
    yield `booting ${kernel.release} with ${name}`;
    return booted(kernel, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The guest's first process, linked with no library. */
function buildLoader(folder: string): void {
  const driver = join(GUEST, 'driver');
  const units = [join(GUEST, 'loader/loader.c'), join(driver, 'runtime.c')];
  runTool('gcc', [...DRIVER_FLAGS.split(' '), '-I', driver, '-c', ...units], folder);
  const objects = readdirSync(folder).filter((file) => file.endsWith('.o'));
  runTool('ld', ['-static', '-o', 'init', ...objects], folder);
}

function booted({ image }: OwnKernel, folder: string): ModuleRun {
  const file = (name: string) => join(folder, name);
  writeFileSync(
    file('initrd'),
    cpio([
      { name: 'init', bytes: readFileSync(file('init')), mode: PROGRAM },
      { name: 'bundle.ko', bytes: readFileSync(file('bundle.ko')), mode: DATA },
    ]),
  );
  const { error } = spawnSync(
    EMULATOR_PROGRAM,
    [
      ...MACHINE,
      ...['-kernel', image, '-initrd', file('initrd'), '-append', COMMAND_LINE],
      ...['-serial', `file:${file('log')}`],
    ],
    { stdio: 'ignore', timeout: SECONDS_MOST * 1000 },
  );
  const all = readFileSync(file('log'), 'latin1').replaceAll('\r', '').split('\n');
  const first = all.findIndex((line) => line.includes('KTAP version'));
  const console = first < 0 ? all.slice(-20) : all.slice(first);
  const isLost = console.some((line) => /Kernel panic|Oops/.test(line));
  return { console, end: error !== undefined ? 'hangs' : isLost ? 'crashes' : 'continues' };
}
