import { CODE, EXIT_CELL, SCRATCH } from '../../checker/x86/layout.ts';
import type { DrawnProgram, InstructionSequence } from '../../checker/x86/sequence.ts';
import { cell } from '../../model/x86/cell.ts';
import { ALL_FLAGS } from '../../model/x86/flags.ts';
import type { ProgramOutcome, StopKind } from './outcome.ts';

/** A sequence and its bytes. */
export interface CpuJob {
  readonly sequence: InstructionSequence;
  readonly program: DrawnProgram;
}

/*
 * The numbers exchanged with the harness, as declared in `harness.c`: eight bytes each, lowest byte first.
 */
const MAGIC = new DataView(new TextEncoder().encode('attachck').buffer).getBigUint64(0, true);

/** The input of one run of the harness. `memory` is the contents of the scratch pages. */
export function encodeBatch(memory: Uint8Array, jobs: readonly CpuJob[]): Uint8Array {
  const pages = [CODE, ...SCRATCH].flatMap((page) => [page.base, page === CODE ? 1n : 0n]);
  const header = [MAGIC, BigInt(jobs.length), BigInt(pages.length / 2), EXIT_CELL, ...pages];
  return Buffer.concat([words(header), memory, ...jobs.flatMap(encodeJob)]);
}

function encodeJob({ sequence, program }: CpuJob): Uint8Array[] {
  const { code, patches } = program;
  const padded = new Uint8Array((code.length + 7) & ~7);
  padded.set(code);
  const record = [BigInt(code.length), BigInt(patches.length), sequence.gsBase, BigInt(sequence.flags)];
  const values = patches.flatMap(({ address, value }) => [address, value]);
  return [words([...record, ...sequence.registers, ...values]), padded];
}

function words(values: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values).buffer);
}

/** Offsets in a reply, in eight-byte numbers. */
const REPLY = {
  SIGNAL: 0,
  TRAP: 1,
  FAULT_ADDRESS: 2,
  RIP: 3,
  FLAGS: 4,
  REGISTERS: 5,
  CHANGES: 21,
  LENGTH: 22,
};

/** The replies to a batch. */
export function decodeReplies(output: Uint8Array, count: number): ProgramOutcome[] {
  const bytes = output.slice();
  const numbers = new BigUint64Array(bytes.buffer, 0, bytes.length >> 3);
  const halves = new Int32Array(bytes.buffer);
  const outcomes: ProgramOutcome[] = [];
  for (let offset = 0; outcomes.length < count; ) {
    const end = offset + REPLY.LENGTH + 2 * Number(numbers[offset + REPLY.CHANGES] ?? 0n);
    if (offset + REPLY.LENGTH > numbers.length || end > numbers.length)
      throw new Error(`the harness replied to ${outcomes.length} of ${count} programs`);
    outcomes.push(decodeReply(numbers.subarray(offset, end), halves.subarray(2 * offset, 2 * end)));
    offset = end;
  }
  return outcomes;
}

function decodeReply(numbers: BigUint64Array, halves: Int32Array): ProgramOutcome {
  const stop = stopOf(Number(numbers[REPLY.SIGNAL]), Number(numbers[REPLY.TRAP]));
  const rip = numbers[REPLY.RIP]!;
  const address = numbers[REPLY.FAULT_ADDRESS]!;
  const isFetch = stop === 'access' && address === rip;
  const changes = new Int32Array((halves.length - 2 * REPLY.LENGTH) * 0.75);
  for (let i = 0; i * 3 < changes.length; i++) {
    const offset = 2 * REPLY.LENGTH + 4 * i;
    changes.set([cell(halves, offset), cell(halves, offset + 2), cell(halves, offset + 3)], 3 * i);
  }
  return {
    stop: isFetch ? 'fetch' : stop,
    at: rip,
    access: stop === 'access' && !isFetch ? { address, bytes: 1 } : undefined,
    registers: halves.subarray(2 * REPLY.REGISTERS, 2 * REPLY.REGISTERS + 32),
    flags: Number(numbers[REPLY.FLAGS]) & ALL_FLAGS,
    changes,
  };
}

/** Numbers of exceptions (Intel SDM vol. 3, table 6-1). */
const TRAPS: Readonly<Record<number, StopKind>> = {
  3: 'int3',
  6: 'ud2',
  12: 'non-canonical access',
  13: 'non-canonical access',
  14: 'access',
};
const SIGALRM = 14;

function stopOf(signal: number, trap: number): StopKind {
  if (signal === 0) return 'exit';
  if (signal === SIGALRM) return 'endless';
  return TRAPS[trap] ?? `exception ${trap}`;
}
