import type { BuildOptions, OutputFile } from 'esbuild';
import { build } from 'esbuild';

/*
 * On Node 20 every spread expression gives its objects hidden classes of its own: code that meets those of several is
 * optimized again and again. Object.assign() gives one class to all objects with the same keys in the same order. Later
 * versions copy with the class of the original, and lose by it.
 */

/** How esbuild writes spread expressions in objects for a version of Node: calls of two functions, or as they are. */
export function spreadsFor(version: string): Pick<BuildOptions, 'supported'> {
  return version.startsWith('20.') ? { supported: { 'object-rest-spread': false } } : {};
}

/** Each of the two as esbuild writes it: it defines one property after the other. */
const OWN = /^var (__spread(?:Values|Props)\w*) = (?:.*\{(?:\n .*)*\n\}|.*);$/gm;

/** What esbuild has made, with Object.assign() in place of the two; the other lines stay where they are. */
export function withAssign(made: string): string {
  return made.replace(
    OWN,
    (own, name: string) => `var ${name} = Object.assign;${'\n'.repeat(own.split('\n').length - 1)}`,
  );
}

/** What esbuild makes of these options, for this version of Node; nothing is written. */
export async function buildForThisNode(options: BuildOptions): Promise<Pick<OutputFile, 'path' | 'text'>[]> {
  const { outputFiles } = await build({ ...options, ...spreadsFor(process.versions.node), write: false });
  return outputFiles.map(({ path, text }) => ({ path, text: withAssign(text) }));
}
