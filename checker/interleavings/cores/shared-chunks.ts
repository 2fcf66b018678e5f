import type { SpaceTables } from '../space-tables.ts';
import type { Store } from '../store.ts';
import type { ChunkLog, ChunkOrder, Numbered } from './chunk.ts';

/** One that visits chunks, in the order in which it is sent them. */
export interface Helper {
  send(order: ChunkOrder): void;
  /** The next log, if it has come. */
  take(): ChunkLog | undefined;
  /** Waits until a log may have come, some milliseconds at most. */
  wait(ms: number): void;
  /** There is nothing more to do. */
  end(): void;
}

/** How states are given out, in states; none of it changes what is found. */
export interface Chunking {
  readonly chunk: number;
  /** States that the search visits itself before it comes to the next chunk that is given out, at least. */
  readonly ahead: number;
  /** Between two looks for logs. */
  readonly look: number;
}

/** A chunk is two milliseconds of work; the search comes to one when it should be done. */
const CHUNKING: Chunking = { chunk: 512, ahead: 4096, look: 64 };

/** Chunks that a helper has: one in progress, and what it does while the search does not look. */
const OPEN_MOST = 4;

/** States of a table that becomes larger while a helper visits one. */
const GROWN_IN_A_VISIT = 60;

/** Milliseconds for which the search waits for a log; then it visits the states itself. */
const PATIENCE = 10;

/** A chunk that was given out, and its log. */
interface Chunk {
  readonly from: number;
  readonly by: Hand;
  log: ChunkLog | undefined;
}

/** A helper, its chunks without a log in their order, and how much of each table it knows. */
interface Hand {
  readonly helper: Helper;
  readonly open: Chunk[];
  readonly known: Record<keyof Numbered, number>;
  /** Of the halves of states. */
  readonly knownHalves: Int32Array;
}

/** The helpers of a search, and the chunks that they visit. */
export class Helpers {
  private readonly hands: Hand[] = [];
  /** Chunks that the search has not come to, in their order. */
  private readonly chunks: Chunk[] = [];
  /** States from here on were never given out. */
  private free = 0;
  /** The state at which to look again. */
  private next = 0;

  constructor(
    private readonly space: SpaceTables,
    private readonly store: Store,
    private readonly chunking = CHUNKING,
  ) {}

  join(helper: Helper): void {
    const known = { worlds: 0, parts: 0, callers: 0, clients: 0, works: 0 };
    this.hands.push({ helper, open: [], known, knownHalves: this.store.halves.nothing() });
    this.next = 0;
  }

  /** The visits of the states from this one on, to which the search has come; undefined: it visits this one itself. */
  logFrom(state: number): ChunkLog | undefined {
    return state < this.next ? undefined : this.look(state);
  }

  end(): void {
    for (const { helper } of this.hands) helper.end();
    this.hands.length = 0;
    this.chunks.length = 0;
  }

  private look(state: number): ChunkLog | undefined {
    const { chunks, chunking } = this;
    this.next = Number.POSITIVE_INFINITY;
    if (this.hands.length === 0) return undefined;
    for (const hand of this.hands) this.gather(hand);
    const log = chunks[0]?.from === state ? this.logOf(chunks.shift()!) : undefined;
    this.handOut(state);
    // After a log the search continues at its end, or at a state that it has to visit itself.
    this.next = log === undefined ? Math.min(state + chunking.look, chunks[0]?.from ?? this.next) : 0;
    return log;
  }

  private gather({ helper, open }: Hand): void {
    while (open.length > 0) {
      const log = helper.take();
      if (log === undefined) return;
      open.shift()!.log = log;
    }
  }

  /** Waits a little for it: the states of a chunk that is late are visited by the search. */
  private logOf(chunk: Chunk): ChunkLog | undefined {
    if (chunk.log === undefined) {
      chunk.by.helper.wait(PATIENCE);
      this.gather(chunk.by);
    }
    return chunk.log;
  }

  private handOut(state: number): void {
    const { chunk, ahead } = this.chunking;
    const most = this.openMost();
    for (const hand of this.hands)
      while (hand.open.length < most) {
        const from = Math.max(this.free, state + this.chunks.length * chunk + ahead);
        if (from + chunk > this.store.size) return;
        this.free = from + chunk;
        const own: Chunk = { from, by: hand, log: undefined };
        this.chunks.push(own);
        hand.open.push(own);
        hand.helper.send({
          states: this.store.halvesOf(from, chunk),
          halves: this.store.halves.since(hand.knownHalves),
          numbered: this.newFor(hand),
        });
      }
  }

  /** Chunks that a helper may have. While the table of states becomes larger, the search takes no logs. */
  private openMost(): number {
    if (!this.store.growsSoon) return OPEN_MOST;
    return OPEN_MOST + Math.ceil(this.store.size / GROWN_IN_A_VISIT / this.chunking.chunk);
  }

  /** Values that were numbered since the last order of a helper. */
  private newFor({ known }: Hand): Numbered {
    const { worlds, callers, clients, works } = this.space;
    const all: Numbered = {
      ...worlds.saved(),
      callers: callers.values,
      clients: clients.values,
      works: works.values,
    };
    const since = <T>(kind: keyof Numbered, values: readonly T[]): readonly T[] => {
      const before = known[kind];
      known[kind] = values.length;
      return values.slice(before);
    };
    return {
      worlds: since('worlds', all.worlds),
      parts: since('parts', all.parts),
      callers: since('callers', all.callers),
      clients: since('clients', all.clients),
      works: since('works', all.works),
    };
  }
}
