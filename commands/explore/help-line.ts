import type { MessagePort } from 'node:worker_threads';
import { receiveMessageOnPort } from 'node:worker_threads';
import type { ChunkLog, ChunkOrder } from '../../checker/interleavings/cores/chunk.ts';
import type { ChunkVisits } from '../../checker/interleavings/cores/chunk-visits.ts';
import type { Helper } from '../../checker/interleavings/cores/shared-chunks.ts';

/** What two workers share of whom one helps the other: a port each, and a bell that rings with each log. */
export interface HelpLine {
  readonly port: MessagePort;
  readonly bell: Int32Array;
}

/** A helper in another thread, for a search that does not return to its event loop. */
export class DistantHelper implements Helper {
  /** Logs that were taken. */
  private taken = 0;

  constructor(private readonly line: HelpLine) {}

  send(order: ChunkOrder): void {
    const { states, halves } = order;
    this.line.port.postMessage(order, [states.buffer as ArrayBuffer, halves.buffer as ArrayBuffer]);
  }

  take(): ChunkLog | undefined {
    // A message costs more to look for than the bell.
    if (Atomics.load(this.line.bell, 0) === this.taken) return undefined;
    const log = receiveMessageOnPort(this.line.port)?.message as ChunkLog | undefined;
    if (log !== undefined) this.taken++;
    return log;
  }

  wait(ms: number): void {
    // It rings after each log: as often as logs were taken, unless there is another one.
    Atomics.wait(this.line.bell, 0, this.taken, ms);
  }

  end(): void {
    this.line.port.close();
  }
}

/** Visits the chunks that come over a line, until it is closed. */
export function helpOver(
  { port, bell }: HelpLine,
  begin: () => ChunkVisits,
  fail: (error: unknown) => void,
): void {
  let visits: ChunkVisits | undefined;
  port.on('message', (order: ChunkOrder) => {
    try {
      visits ??= begin();
      const log = visits.log(order);
      port.postMessage(log, [log.entries.buffer as ArrayBuffer]);
      Atomics.add(bell, 0, 1);
      Atomics.notify(bell, 0);
    } catch (error) {
      port.close();
      fail(error);
    }
  });
}
