import { PLANTED_ARGUMENTS } from './arguments.ts';
import { PLANTED_ENCODING } from './encoding.ts';
import type { Planted } from './planted.ts';
import { PLANTED_PROGRAMS } from './programs.ts';
import { PLANTED_RETURNS } from './returns.ts';

/** The planted bugs of images: what each law is shown to catch. */
export const PLANTED: readonly Planted[] = [
  ...PLANTED_ARGUMENTS,
  ...PLANTED_RETURNS,
  ...PLANTED_PROGRAMS,
  ...PLANTED_ENCODING,
];

export function plantedNamed(name: string): Planted | undefined {
  return PLANTED.find((planted) => planted.name === name);
}
