import { entry } from '../core/present.ts';
import { functionOf, probedAt } from './body-address.ts';
import type { TextPlace, TextWorld } from './text.ts';

/** A write to a body shows at every instruction that kprobes change and that has a byte of it. */
export function writeBody(
  { text: { probed } }: TextWorld,
  { name, offset }: TextPlace,
  from: number,
  bytes: string,
): void {
  const first = offset + from;
  const end = first + bytes.length / 2;
  for (const ip in probed) {
    if (functionOf(ip) !== name) continue;
    const start = probedAt(ip).offset;
    const known = entry(probed, ip);
    const low = Math.max(start, first);
    const high = Math.min(start + known.length / 2, end);
    if (low < high)
      probed[ip] = spliced(known, (low - start) * 2, bytes.slice((low - first) * 2, (high - first) * 2));
  }
}

/** Bytes as text, with others in the place of some of them: from a digit on. */
export function spliced(text: string, offset: number, bytes: string): string {
  return text.slice(0, offset) + bytes + text.slice(offset + bytes.length);
}
