import type { Ip } from '../../core/ids.ts';
import { probedAt } from '../../text/body-address.ts';
import { addressOf, branchBytes } from '../../text/space.ts';
import type { TextView } from '../../text/text.ts';
import { Assembler } from '../../x86/assemble.ts';
import type { Reg } from '../../x86/register.ts';
import {
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15,
  RAX,
  RBP,
  RBX,
  RCX,
  RDI,
  RDX,
  RSI,
  RSP,
} from '../../x86/register.ts';
import { plus } from '../../x86/word.ts';
import { KERNEL_DS, PT_REGS } from './frame.ts';
import { bytesOfHex, hexText } from './hex-text.ts';

/*
 * The detour of an optimised kprobe: optprobe_template_entry in arch/x86/kernel/kprobes/opt.c, as machine code of our own
 * with the same frame. `rdi` of the call is the `struct optimized_kprobe`, here the address of its detour.
 */

/** In the order of SAVE_REGS_STRING: the last one pushed is the first of `struct pt_regs`. */
const SAVED: readonly Reg[] = [RDI, RSI, RDX, RCX, RAX, R8, R9, R10, R11, RBX, RBP, R12, R13, R14, R15];

/** Bytes of `orig_ax`, `ip` and `cs`, which optimized_callback() writes. */
const SKIPPED = PT_REGS.EFLAGS - PT_REGS.ORIG_RAX;

interface Detoured {
  readonly ip: Ip;
  /** The instructions that are replaced, as hexadecimal text each. */
  readonly code: readonly string[];
}

/** The code as hexadecimal text, and the offset of its copies of the replaced instructions. */
export function detourCode(
  k: TextView,
  detour: string,
  { ip, code }: Detoured,
): { bytes: string; copies: number } {
  const base = addressOf(k, detour);
  const a = new Assembler(base, (symbol) => addressOf(k, symbol));
  a.bytes([PUSH_BYTE, KERNEL_DS]);
  a.push(RSP);
  a.pushFlags();
  a.sub(RSP, SKIPPED);
  for (const reg of SAVED) a.push(reg);
  a.mov(RSI, RSP);
  a.loadConstant(RDI, base, true);
  a.call('optimized_callback');
  // The flags go where `ss` is: `flags` and `sp` are skipped.
  a.load(RDX, RSP, PT_REGS.EFLAGS);
  a.store(RSP, PT_REGS.SS, RDX);
  for (const reg of SAVED.toReversed()) a.pop(reg);
  a.add(RSP, SKIPPED);
  a.add(RSP, PT_REGS.SS - PT_REGS.EFLAGS);
  a.popFlags();
  const copies = a.offset;
  const replaced = code.join('');
  a.bytes(bytesOfHex(replaced));
  const back = a.offset;
  const { name, offset } = probedAt(ip);
  const next = plus(addressOf(k, name), offset + replaced.length / 2);
  a.bytes(bytesOfHex(branchBytes('e9', plus(base, back), next)));
  return { bytes: hexText(a.finish().bytes), copies };
}

const PUSH_BYTE = 0x6a;
