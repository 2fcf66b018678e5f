import { allocatedOn } from '../text/allocated-on.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import { PAGE_BYTES, SPACE } from '../text/space.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import { RDI, RSP } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { plus, toHex } from '../x86/word.ts';
import { dataAt } from './memory.ts';
import { SECTION_FUNCTIONS } from './section.ts';
import { stackArgumentAt } from './stub.ts';
import type { TracepointView, TracepointWorld } from './tracepoint.ts';
import { TP_STUB_FUNC, tracepointNamed } from './tracepoint.ts';

/*
 * Probes of clients, and the functions in C that tracepoint code calls. A probe finds out from the stack which
 * tracepoint has hit it: one function may be registered with several.
 */

/** Functions of clients that may be registered as probes of any tracepoint. */
export const PROBES = ['my_probe1', 'my_probe2', 'my_probe3'] as const;

/** A client's probe records its data and its arguments, as whole words. */
function runProbe(k: TracepointView, cpu: Cpu, who: string): void {
  const fn = hitTracepoint(k, cpu, () => 0);
  const data = cpu.register(RDI);
  cpu.events.push({
    kind: 'tracepoint probe',
    who,
    fn,
    args: argumentsOfHit(k, cpu, fn).map(toHex),
    data: dataAt(data) ?? toHex(data),
  });
}

/** The arguments of a hit at the entry of a probe, as whole words. */
export function argumentsOfHit(k: TracepointView, cpu: Cpu, fn: string): Word[] {
  return tracepointNamed(k, fn).sizes.map((_, i) => {
    const reg = ARGUMENT_REGS[i + 1];
    return reg === undefined ? cpu.read(plus(cpu.register(RSP), stackArgumentAt(i + 1))) : cpu.register(reg);
  });
}

const CODE_OF = /^(?:trace_|__traceiter_)(.*)$/;

/**
 * The tracepoint whose site or iterator called the running function. `above` gives the bytes between that return
 * address and the one on top of the stack, by the page that the latter points to.
 */
export function hitTracepoint(k: TracepointView, cpu: Cpu, above: (page: string) => number): string {
  const top = cpu.register(RSP);
  const caller = cpu.read(plus(top, above(pageOf(k, cpu.read(top)))));
  const found = CODE_OF.exec(pageOf(k, caller))?.[1];
  if (found === undefined) throw new Error(`a probe was called from ${toHex(caller)}`);
  return found;
}

/** Name of the object on the page of an address; empty: none. */
function pageOf(k: TracepointView, address: Word): string {
  const from = (address.lo - SPACE.PAGES.lo) >>> 0;
  return allocatedOn(k, Math.floor(from / PAGE_BYTES), from % PAGE_BYTES)?.name ?? '';
}

/** The functions in C that tracepoint code calls: the read-side sections, and probes. */
export const TRACEPOINT_FUNCTIONS: CFunctions<TracepointWorld> = {
  ...SECTION_FUNCTIONS,
  [TP_STUB_FUNC]: { atOnce: () => {} },
  ...Object.fromEntries(
    PROBES.map((who) => [who, { atOnce: (k: TracepointView, cpu: Cpu): void => runProbe(k, cpu, who) }]),
  ),
};
