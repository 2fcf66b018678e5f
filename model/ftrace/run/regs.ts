import type { Cpu } from '../../text/cpu.ts';
import { FUNCTION_BYTES, SPACE } from '../../text/space.ts';
import type { TextWorld } from '../../text/text.ts';
import type { Word } from '../../x86/word.ts';
import { plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';

/** What an ftrace handler is given: the call site, and the registers at it. */
export interface Hit {
  readonly cpu: Cpu;
  /** The traced function. */
  readonly ip: string;
  /** `struct ftrace_regs`: a frame on the stack. */
  readonly fregs: Word;
}

/** The traced function that an address lies in. */
export function functionAt(k: TextWorld, address: Word): string {
  const order = Math.floor(((address.lo - SPACE.FUNCTIONS.lo) >>> 0) / FUNCTION_BYTES);
  const found = Object.entries(k.text.functions).find(([, at]) => at === order);
  if (found === undefined) throw new Error(`${toHex(address)} lies in no traced function`);
  return found[0];
}

export function readReg({ cpu, fregs }: Hit, at: number): Word {
  return cpu.read(plus(fregs, at));
}

export function writeReg({ cpu, fregs }: Hit, at: number, value: Word): void {
  cpu.write(plus(fregs, at), value);
}

/** ftrace_get_regs(): whether the frame holds all registers. */
export function hasRegs(hit: Hit): boolean {
  return readReg(hit, PT_REGS.CS).lo !== 0;
}

const ARGUMENTS = [PT_REGS.RDI, PT_REGS.RSI, PT_REGS.RDX, PT_REGS.RCX, PT_REGS.R8, PT_REGS.R9];

/** The six argument registers of a frame. */
export function argumentsOf(hit: Hit): string[] {
  return ARGUMENTS.map((at) => toHex(readReg(hit, at)));
}

/** The place of the return address into the caller. */
export function parentSlot(hit: Hit): Word {
  return readReg(hit, PT_REGS.RSP);
}
