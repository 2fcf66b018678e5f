import type { Worlds } from '../checker/interleavings/worlds.ts';

/** Bytes of worlds and of their parts, each part once, as text: an estimate of what they take in memory. */
export function bytesOfWorlds(worlds: Worlds): number {
  const parts = new Set<number>();
  let bytes = 0;
  for (let i = 0; i < worlds.size; i++) {
    const world = worlds.get(i);
    bytes += 4 * world.length;
    for (const part of world) parts.add(part);
  }
  return bytes + bytesAsText([...parts].map((part) => worlds.part(part)));
}

export function bytesAsText(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + JSON.stringify(value).length, 0);
}
