import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpio, DATA, PROGRAM } from '../boot/cpio.ts';
import { EMULATOR_PROGRAM, MACHINE } from '../boot/guest.ts';
import { writeLoader } from '../setup/build.ts';
import { linkAlone, makeModules, requireBuilding, stripModule } from './build.ts';
import type { OwnKernel } from './tree.ts';

/** What a module has printed: the lines of the console from its first, and how the kernel ended. */
export interface ModuleRun {
  readonly console: readonly string[];
  readonly end: 'continues' | 'crashes' | 'hangs';
}

const SECONDS_MOST = 90;
const COMMAND_LINE =
  'console=ttyS0 nokaslr tsc=reliable no_timer_check panic=-1 oops=panic loglevel=7 slub_debug=FZP';

/** A kernel that a module can be built for, and that boots. */
export interface ModuleHost {
  readonly release: string;
  /** Builds `NAME.ko` of some sources as `bundle.ko` of a folder, and the loader as `init`; gives the image. */
  build(sources: string, name: string, folder: string): Generator<string, string>;
  /** Nothing more is built for it. */
  close(): void;
}

/** Builds a module of one source file for a kernel, boots that, and loads it. */
export function* ranModule(host: ModuleHost, sources: string, name: string): Generator<string, ModuleRun> {
  const folder = mkdtempSync(join(tmpdir(), 'attachcheck-module-'));
  try {
    const image = yield* host.build(sources, name, folder);
    yield `booting ${host.release} with ${name}`;
    return booted(image, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A kernel of the user's, built with the machine's compiler. */
export function ownHost(kernel: OwnKernel): ModuleHost {
  requireBuilding(kernel);
  return {
    release: kernel.release,
    *build(sources, name, folder) {
      yield `building ${name} for ${kernel.release}`;
      cpSync(sources, join(folder, 'module'), { recursive: true });
      makeModules(kernel, join(folder, 'module'));
      stripModule(join(folder, 'module', `${name}.ko`), join(folder, 'bundle.ko'));
      writeLoader(folder);
      linkAlone(join(folder, 'loader'), join(folder, 'init'));
      return kernel.image;
    },
    close: () => undefined,
  };
}

function booted(image: string, folder: string): ModuleRun {
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
