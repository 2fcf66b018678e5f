import type { ActionOf } from '../../model/action.ts';
import type { Kernel } from '../../model/kernel.ts';
import { copyPart } from '../attach/copy-kernel.ts';
import { WorldParts } from '../explore/world-parts.ts';
import type { CallSeen } from './call-seen.ts';
import { callIn } from './call-seen.ts';
import type { TextMet } from './text-met.ts';

/** Calls that read the same parts of a kernel, by the numbers of those parts. */
interface Known {
  readonly reads: readonly number[];
  readonly seen: Map<string, CallSeen>;
}

const TEXT = ['inner', 'pages', 'sites', 'poke'] as const;

/** Different parts that are told apart; then all is forgotten, to be found once more. */
const PARTS_MOST = 4000;

/**
 * What calls have shown in kernels of one kind. A call is watched for the parts of the kernel that it reads: where those
 * are the same, it shows the same, and is not made again. Of call sites it comes to its own only.
 */
export class CallMemo {
  readonly layout: WorldParts;
  /** The parts of text that change, by name. */
  readonly textParts: readonly (readonly [keyof TextMet, number])[];
  private readonly sites: number;
  private readonly numbers = new Map<string, number>();
  private readonly calls = new Map<string, Known[]>();
  private given = 0;

  constructor(example: Kernel) {
    this.layout = new WorldParts(example);
    this.sites = this.layout.numberOf('text.sites');
    this.textParts = TEXT.map((name) => [name, this.layout.numberOf(`text.${name}`)]);
  }

  isText(part: number): boolean {
    return this.textParts.some(([, text]) => text === part);
  }

  /** The number of a part: equal ones have the same. */
  numberOf(part: unknown): number {
    const text = JSON.stringify(part);
    let number = this.numbers.get(text);
    if (number === undefined) {
      if (this.numbers.size >= PARTS_MOST) {
        this.numbers.clear();
        this.calls.clear();
      }
      number = this.given++;
      this.numbers.set(text, number);
    }
    return number;
  }

  /** What a call shows in a kernel of these parts, whose numbers `numberAt` gives. */
  call(call: ActionOf<'call'>, parts: readonly unknown[], numberAt: (part: number) => number): CallSeen {
    numberAt(this.sites);
    const site = (parts[this.sites] as Record<string, string>)[call.fn]!;
    const known = this.calls.get(call.fn) ?? [];
    for (const { reads, seen } of known) {
      const found = seen.get(keyOf(site, reads, numberAt));
      if (found !== undefined) return found;
    }
    const { seen, reads } = this.make(call, parts);
    let same = known.find(
      (one) => one.reads.length === reads.length && one.reads.every((part, i) => part === reads[i]),
    );
    if (same === undefined) {
      same = { reads, seen: new Map() };
      this.calls.set(call.fn, [...known, same]);
    }
    same.seen.set(keyOf(site, reads, numberAt), seen);
    return seen;
  }

  /** Makes a call in a kernel of which a part is copied when it is read. */
  private make(call: ActionOf<'call'>, parts: readonly unknown[]): { seen: CallSeen; reads: number[] } {
    const reads = new Set<number>();
    const own = [...parts];
    const facade = this.layout.facade(own, (part) => {
      if (reads.has(part)) return;
      reads.add(part);
      own[part] = copyPart(parts[part]);
    });
    return {
      seen: callIn(facade, call),
      reads: [...reads].filter((part) => part !== this.sites).sort((a, b) => a - b),
    };
  }
}

function keyOf(site: string, reads: readonly number[], numberAt: (part: number) => number): string {
  let key = site;
  for (const part of reads) key += `${numberAt(part)},`;
  return key;
}
