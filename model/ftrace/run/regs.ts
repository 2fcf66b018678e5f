import type { Ip } from '../../core/ids.ts';
import type { Cpu } from '../../text/cpu.ts';
import { FUNCTION_BYTES, SPACE } from '../../text/space.ts';
import type { TextView } from '../../text/text.ts';
import { RCX, RDI } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { plus, toHex } from '../../x86/word.ts';
import { PT_REGS } from '../entry/frame.ts';

/** The arguments of an ftrace handler that matter: the call site, and the registers at it. */
export interface RegsHit {
  /** The traced function. */
  readonly ip: Ip;
  /** `struct ftrace_regs`: a frame on the stack. */
  readonly fregs: Word;
}

/** A CPU in a handler. */
export interface AtSite {
  readonly cpu: Cpu;
  readonly hit: RegsHit;
}

/** `rdi` is the address of the site, `rcx` the frame: the calling convention of `ftrace_func_t`. */
export function hitOf(k: TextView, cpu: Cpu): RegsHit {
  return { ip: functionAt(k, cpu.register(RDI)), fregs: cpu.register(RCX) };
}

/** The traced function that an address is in. */
export function functionAt(k: TextView, address: Word): string {
  const order = Math.floor(((address.lo - SPACE.FUNCTIONS.lo) >>> 0) / FUNCTION_BYTES);
  const found = Object.entries(k.text.functions).find(([, index]) => index === order);
  if (found === undefined) throw new Error(`${toHex(address)} lies in no traced function`);
  return found[0];
}

/** A register of the frame. It is memory of the task's stack: a handler may write it. */
export function readReg({ cpu, hit }: AtSite, offset: number): Word {
  return cpu.read(plus(hit.fregs, offset));
}

/** ftrace_regs_set_instruction_pointer() and the like. */
export function writeReg({ cpu, hit }: AtSite, offset: number, value: Word): void {
  cpu.write(plus(hit.fregs, offset), value);
}

/** ftrace_get_regs(): a frame with all registers has a nonzero `cs`. */
export function hasRegs(locals: AtSite): boolean {
  return readReg(locals, PT_REGS.CS).lo !== 0;
}

/** The argument registers in the order of the System V ABI. */
const ARGUMENTS = [PT_REGS.RDI, PT_REGS.RSI, PT_REGS.RDX, PT_REGS.RCX, PT_REGS.R8, PT_REGS.R9];

/** The six argument registers of a frame. */
export function argumentsOf(locals: AtSite): string[] {
  return ARGUMENTS.map((offset) => toHex(readReg(locals, offset)));
}

/** Where the return address into the caller is: what function graph and rethook replace. */
export function parentSlot(locals: AtSite): Word {
  return readReg(locals, PT_REGS.RSP);
}
