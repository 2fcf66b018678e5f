import type { KprobeId, KretprobeId } from '../core/ids.ts';
import { readObjectName } from '../core/object-name.ts';
import { kprobeOf } from '../ftrace/kretprobe.ts';
import type { SpelledLine } from './spelling.ts';
import { called } from './spelling.ts';

/** A probe that is disabled or enabled. A kretprobe is named in calls of its own, which are those of its kprobe. */
interface ProbeSwitch<D extends string> {
  readonly do: D;
  readonly kp: KprobeId | KretprobeId;
}

export function isKretprobe(probe: KprobeId | KretprobeId): probe is KretprobeId {
  return readObjectName(probe).kind === 'kretprobe';
}

/** The kprobe that the kernel gets. */
export function kprobeNamed({ kp }: Pick<ProbeSwitch<string>, 'kp'>): { readonly kprobe: KprobeId } {
  return { kprobe: isKretprobe(kp) ? kprobeOf(kp) : kp };
}

/** `disable_kprobe(kprobe#1)`, `disable_kretprobe(kretprobe#1)`. */
export function printedSwitch({ do: name, kp }: ProbeSwitch<string>): string {
  return called(isKretprobe(kp) ? forKretprobe(name) : name, kp);
}

/** Reads both spellings; a name of the other kind of probe is no call. */
export function readSwitch<D extends string>(
  own: D,
  { name, args: [kp = ''] }: SpelledLine,
): ProbeSwitch<D> | undefined {
  const wanted = isKretprobe(kp) ? forKretprobe(own) : own;
  return name === wanted ? { do: own, kp } : undefined;
}

function forKretprobe(name: string): string {
  return name.replace('kprobe', 'kretprobe');
}
