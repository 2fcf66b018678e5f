import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FRAME_BYTES, PT_REGS } from '../../model/ftrace/entry/frame.ts';
import { bytesOfHex } from '../../model/ftrace/entry/hex-text.ts';
import { opsInnerCallOffset, opsTrampoline } from '../../model/ftrace/entry/ops-trampoline.ts';
import { branchTarget } from '../../model/text/space.ts';
import { createMachine } from '../../model/x86/create-machine.ts';
import { flagBits, printFlags } from '../../model/x86/flags.ts';
import { setBreakpoint } from '../../model/x86/link.ts';
import type { Machine } from '../../model/x86/machine.ts';
import { placeOf, readRegister, writeRegister } from '../../model/x86/machine.ts';
import type { Region } from '../../model/x86/memory.ts';
import { EXECUTE, offsetIn, READ, readWord, WRITE, writeBytes, writeWord } from '../../model/x86/memory.ts';
import { CALLER_SAVED, R11, RCX, RDI, RDX, RSI, RSP, registerName } from '../../model/x86/register.ts';
import { run } from '../../model/x86/run.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromHex, plus, toHex } from '../../model/x86/word.ts';
import { readText } from '../files.ts';

/** A line of the recordings, without the fields that this test does not read. */
interface Row {
  readonly release: string;
  readonly func: string;
  readonly state: string;
  readonly func_addr: string;
  readonly entry_hex: string;
  readonly entry_target: string;
  readonly enabled: string;
  readonly image_hex?: string | null;
  readonly symbols?: Readonly<Record<string, string>>;
}

const PATH = join(import.meta.dirname, '../recordings/ftrace-ops-trampolines.jsonl.gz');
const ROWS = readText(PATH)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
  .filter(({ image_hex }) => typeof image_hex === 'string');

const STACK = fromHex('0xffffc90000100000');
const CALLER = fromHex('0xffffffff81000000');
const NOP = 0x90;
const RET = 0xc3;

/** Where the traced function resumes, and where a handler may redirect it instead. */
const ELSEWHERE = 0x20;

/** What a handler does with its frame, before it clobbers what a callee may. */
type Handler = (stack: Region, frame: number) => void;

/** A machine in which the recorded function calls a trampoline with these bytes at the recorded address. */
function machineFor(row: Row, image: Uint8Array): Machine {
  const code = (name: string, base: Word, size: number) => ({
    name,
    base: { hi: base.hi, lo: base.lo & ~7 },
    size: size + 16,
    permission: READ | EXECUTE,
  });
  const m = createMachine(
    [
      { name: 'stack', base: STACK, size: 0x800, permission: READ | WRITE },
      code('caller', CALLER, 16),
      code('function', fromHex(row.func_addr), 0x40),
      code('trampoline', fromHex(row.entry_target), image.length),
      code('handler', handlerOf(row), 1),
    ],
    { stack: 'stack', data: 'stack' },
  );
  const [, caller, traced, trampoline, handler] = m.regions as readonly Region[];
  writeBytes(caller!, 0, [0x41, 0xff, 0xd3]);
  writeBytes(traced!, 0, new Uint8Array(0x40).fill(NOP));
  writeBytes(traced!, 0, bytesOfHex(row.entry_hex.slice(0, 2 * bodyOffset(row))));
  writeBytes(trampoline!, 0, image);
  const index = offsetIn(handler!, handlerOf(row).hi, handlerOf(row).lo);
  writeBytes(handler!, index, [RET]);
  setBreakpoint(m, handler!, index);
  setBreakpoint(m, traced!, bodyOffset(row));
  setBreakpoint(m, traced!, ELSEWHERE);
  return m;
}

function bodyOffset({ entry_hex }: Row): number {
  return entry_hex.startsWith('f30f1efa') ? 9 : 5;
}

function handlerOf({ symbols }: Row): Word {
  return fromHex(Object.keys(symbols!)[0]!);
}

/** Calls the function; returns what its handler saw, and registers, flags and stack where execution continues. */
function callThrough(row: Row, image: Uint8Array, handler: Handler): { seen: string[]; after: string[] } {
  const m = machineFor(row, image);
  for (let reg = 0; reg < 16; reg++) writeRegister(m, reg, plus(fromHex('0x1111111100000000'), reg * 0x1111));
  writeRegister(m, RSP, plus(STACK, 0x700));
  writeRegister(m, R11, fromHex(row.func_addr));
  Object.assign(m.rip, CALLER);
  expect(placeOf(m, run(m, 1000).at)).toMatch(/^handler/);
  const frame = readRegister(m, RCX).lo - STACK.lo;
  const seen = [RDI, RSI, RDX, RCX, RSP].map((reg) => `${registerName(reg)} ${toHex(readRegister(m, reg))}`);
  for (const [field, index] of Object.entries(PT_REGS))
    seen.push(`${field} ${toHex(readWord(m.stack, frame + index))}`);
  handler(m.stack, frame);
  for (const reg of CALLER_SAVED) writeRegister(m, reg, plus(fromHex('0xbadc0de0badc0de0'), reg));
  const after = [placeOf(m, run(m, 1000).at), printFlags(flagBits(m.flags))];
  for (let reg = 0; reg < 16; reg++) after.push(`${registerName(reg)} ${toHex(readRegister(m, reg))}`);
  return { seen, after };
}

/** The pointer in the words after the recorded code: the argument of its handler. */
function opsPointer(row: Row): Word {
  const { seen } = callThrough(row, bytesOfHex(row.image_hex!), () => {});
  return fromHex(seen.find((line) => line.startsWith('rdx'))!.slice(4));
}

const hasRegs = ({ enabled }: Row) => / R /.test(enabled);

function ourImage(row: Row): Uint8Array {
  const address = fromHex(row.entry_target);
  return bytesOfHex(opsTrampoline(hasRegs(row), address, handlerOf(row), opsPointer(row)));
}

/** Every word of the frame changes; the call resumes elsewhere. */
function rewriting(row: Row): Handler {
  return (stack, frame) => {
    for (let index = 0; index < FRAME_BYTES; index += 8)
      writeWord(stack, frame + index, plus(fromHex('0x7777000000000000'), index));
    writeWord(stack, frame + PT_REGS.RIP, plus(fromHex(row.func_addr), ELSEWHERE));
    writeWord(stack, frame + PT_REGS.EFLAGS, fromHex('0x8d7'));
  };
}

describe('the recorded trampoline of an ops, and the model in its place', () => {
  test('both forms are recorded for each kernel', () => {
    const kinds = ROWS.map((row) => `${row.release.split('.').slice(0, 2).join('.')} ${hasRegs(row)}`);
    expect([...new Set(kinds)].toSorted()).toEqual([
      '6.1 false',
      '6.1 true',
      '6.12 false',
      '6.12 true',
      '7.2 false',
      '7.2 true',
    ]);
    expect(ROWS).toHaveLength(46);
  });

  describe.each(ROWS.map((row) => [`${row.release} ${row.func} ${row.state}`, row] as const))(
    '%s',
    (_, row) => {
      const recorded = bytesOfHex(row.image_hex!);

      test('the handler sees the same registers and the same frame', () => {
        const theirs = callThrough(row, recorded, () => {});
        expect(callThrough(row, ourImage(row), () => {})).toEqual(theirs);
        expect(theirs.seen.slice(0, 2)).toEqual([
          `rdi ${toHex(plus(fromHex(row.func_addr), bodyOffset(row) - 5))}`,
          `rsi ${toHex(plus(CALLER, 3))}`,
        ]);
        expect(theirs.after[0]).toBe(`function+0x${bodyOffset(row)}`);
      });

      test('what the handler writes to the frame has the same effect', () => {
        const theirs = callThrough(row, recorded, rewriting(row));
        expect(callThrough(row, ourImage(row), rewriting(row))).toEqual(theirs);
        expect(theirs.after[0]).toBe('function+0x20');
      });

      test('the ops pointer is after the code, the inner call at its offset', () => {
        const pointer = Buffer.alloc(8);
        pointer.writeInt32LE(opsPointer(row).lo, 0);
        pointer.writeInt32LE(opsPointer(row).hi, 4);
        expect(Buffer.from(recorded).includes(pointer)).toBe(true);
        const ours = ourImage(row);
        const call = Buffer.from(ours).toString('hex', opsInnerCallOffset(hasRegs(row)));
        const from = plus(fromHex(row.entry_target), opsInnerCallOffset(hasRegs(row)));
        expect(call.startsWith('e8')).toBe(true);
        expect(branchTarget(call, from)).toEqual(handlerOf(row));
      });
    },
  );
});
