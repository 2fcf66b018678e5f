import { Duplex } from './duplex.ts';
import { pause } from './pause.ts';

/*
 * The emulator's own side of a machine, in its machine protocol (QMP): a line of JSON for a command, and one for its answer.
 * Lines between them are events.
 */

/** Bytes a second for a machine that is saved: more than there are. */
const UNLIMITED = 2 ** 40;
const LINE = /^([^\n]*)\n/;

export class Monitor {
  private readonly line: Duplex;

  constructor(path: string) {
    this.line = new Duplex(path);
  }

  /** Writes the machine as it is to a file, whose path is a word of the shell, and lets it continue. */
  save(path: string): void {
    this.connect();
    this.command('migrate-set-parameters', { 'max-bandwidth': UNLIMITED });
    this.command('migrate', { uri: `exec:cat > ${path}` });
    for (let status: unknown; status !== 'completed'; pause()) {
      status = this.command('query-migrate').status;
      if (status === 'failed' || status === 'cancelled')
        throw new Error('the emulator does not save a machine');
    }
    this.command('cont');
  }

  /** Waits for a machine that was saved: a byte that is sent before it runs is lost. */
  awaitRunning(): void {
    this.connect();
    while (this.command('query-status').status !== 'running') pause();
  }

  close(): void {
    this.line.close();
  }

  private connect(): void {
    this.command('qmp_capabilities');
  }

  private command(execute: string, words: object = {}): Record<string, unknown> {
    this.line.send(`${JSON.stringify({ execute, arguments: words })}\n`);
    for (;;) {
      const [, line = ''] = this.line.await(LINE, 'the monitor of the machine');
      const { return: returned, error } = JSON.parse(line) as Reply;
      if (error !== undefined) throw new Error(`the monitor of the machine, ${execute}: ${error.desc}`);
      if (returned !== undefined) return returned;
    }
  }
}

interface Reply {
  readonly return?: Record<string, unknown>;
  readonly error?: { readonly desc: string };
}
