import type { KernelVersion, Profile } from '../model/core/profile.ts';
import { KERNELS, PROFILES } from '../model/core/profile.ts';

/** What tells each kernel from the others, in one sentence. */
export const KERNEL_SENTENCES: Readonly<Record<KernelVersion, string>> = {
  '6.1':
    'Direct calls by (ip, addr), one user of function graph at a time, images for six argument words, no fprobes in use.',
  '6.12':
    "Direct calls by an ops of the client's, many users of function graph, images for twelve argument words, kprobe.multi sessions.",
  '7.2':
    'Direct calls by tables of sites and one ops for all trampolines, images that are jumped to, fsession programs, multi links.',
};

/** A behaviour that can be overridden, with the value that each kernel has. */
export interface Behaviour {
  readonly name: string;
  readonly values: Readonly<Record<KernelVersion, string>>;
}

/** All behaviours that `--kernel '6.12, NAME = VALUE'` overrides, in the order of a profile. */
export function behaviours(): Behaviour[] {
  const [first] = KERNELS;
  const names = Object.keys(PROFILES[first!]).filter((name) =>
    isSimple(PROFILES[first!][name as keyof Profile]),
  );
  return names
    .filter((name) => name !== 'kernel')
    .map((name) => ({
      name,
      values: Object.fromEntries(
        KERNELS.map((kernel) => [kernel, String(PROFILES[kernel][name as keyof Profile])]),
      ) as Record<KernelVersion, string>,
    }));
}

function isSimple(value: unknown): boolean {
  return typeof value !== 'object';
}
