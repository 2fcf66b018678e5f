import type { ActionOf } from '../../model/client/all.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import { WorldParts } from '../interleavings/world-parts.ts';
import type { CallSeen } from './call-seen.ts';
import { ReadsByPart } from './part-reads.ts';
import { ReadTrees } from './read-tree.ts';
import { watchedCall } from './watched-call.ts';

/** The events of a call, and its reads. */
export interface CallMade {
  readonly seen: CallSeen;
  readonly reads: ReadsByPart;
}

/** Reads that are kept; then all are dropped, and found again. */
const READS_MOST = 1_000_000;

/**
 * The events of calls in kernels of one kind. The reads that a call makes of the kernel are recorded: in a state with
 * the same values it has the same events, and is not repeated.
 */
export class CallMemo {
  readonly layout: WorldParts;
  private readonly known = new Map<string, ReadTrees<CallMade>>();
  private readonly partsRead: Uint8Array;

  constructor(example: KernelView) {
    this.layout = new WorldParts(example);
    this.partsRead = new Uint8Array(this.layout.count);
  }

  /** Whether any call has read anything of a part. */
  isRead(part: number): boolean {
    return this.partsRead[part] === 1;
  }

  /** The events of a call in a kernel. */
  call(call: ActionOf<'call'>, k: Kernel): CallMade {
    const known = this.known.get(call.fn) ?? new ReadTrees();
    this.known.set(call.fn, known);
    return known.find(k) ?? this.make(call, k, known);
  }

  private make(call: ActionOf<'call'>, k: Kernel, known: ReadTrees<CallMade>): CallMade {
    const { seen, reads: all } = watchedCall(k, call);
    const reads = new ReadsByPart(all, this.layout);
    for (const part of reads.numbers) this.partsRead[part] = 1;
    const made = { seen, reads };
    known.add(all, made);
    if (known.added > READS_MOST) this.known.delete(call.fn);
    return made;
  }
}
