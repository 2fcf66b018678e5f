import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Bootable } from './boot/guest.ts';

/** Where kernels are kept, outside of any repository. */
export function cacheFolder(): string {
  return process.env['ATTACHCHECK_CACHE'] ?? join(homedir(), '.cache', 'attachcheck');
}

export function kernelFolder(kernel: string): string {
  return join(cacheFolder(), kernel);
}

/** The files that the setup leaves for a boot. */
export function bootableIn(folder: string): Bootable {
  return {
    image: join(folder, 'vmlinuz'),
    recorder: join(folder, 'recorder.ko'),
    second: join(folder, 'second.ko'),
    livepatch: join(folder, 'livepatch.ko'),
    driver: join(folder, 'init'),
  };
}

/** Those of them that are missing. */
export function missingIn(folder: string): string[] {
  return Object.values(bootableIn(folder)).filter((file) => !existsSync(file));
}
