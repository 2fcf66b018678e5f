import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import type { Assembler } from '../x86/assemble.ts';
import { RAX, RSI, RSP } from '../x86/register.ts';
import { stackArgumentAt } from './stub.ts';

/** __bpf_trace_run(), called by bpf_trace_runN() with the array; 6.12 inlines it, the model does not. */
export const TRACE_RUN = '__bpf_trace_run';

/** Bytes that it takes from the stack: the array, and what keeps the stack aligned. */
export function frameBytes(count: number): number {
  return 8 * (count + ((count + 1) % 2));
}

/**
 * bpf_trace_runN(), kernel/trace/bpf_trace.c: the arguments become an array on the stack, which is the program's
 * context, and __bpf_trace_run() gets the link (or, up to 6.9, the program) and that array.
 *
 * ```text
 *   8 (n + 1) + 8 …  arguments 6 and later, as the stub has left them
 *   8 (n + 1)        return address to the probe's caller (rounded up to 16 bytes)
 *   0 … 8 (n - 1)    args[n]                                        <- rsp, rsi
 * ```
 */
export function emitTraceRun(a: Assembler, count: number, ibt: boolean): void {
  const frame = frameBytes(count);
  if (ibt) a.endbr64();
  a.sub(RSP, frame);
  for (let i = 0; i < count; i++) {
    const reg = ARGUMENT_REGS[i + 1];
    if (reg === undefined) a.load(RAX, RSP, frame + stackArgumentAt(i + 1));
    a.store(RSP, 8 * i, reg ?? RAX);
  }
  a.mov(RSI, RSP);
  a.call(TRACE_RUN);
  a.add(RSP, frame);
  a.ret();
}
