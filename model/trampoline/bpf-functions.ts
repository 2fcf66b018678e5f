import { Oops } from '../core/oops.ts';
import type { CFunction, Cpu } from '../text/cpu.ts';
import { PAGE_BYTES, SPACE } from '../text/space.ts';
import { allocatedOn, branchAtSite } from '../text/text.ts';
import { RAX, RDI, RDX, RSI, RSP } from '../x86/register.ts';
import { fromHex, fromNumber, plus, toHex, ZERO } from '../x86/word.ts';
import { ARGUMENT_REGS } from './argument-registers.ts';
import { imagePage } from './image-memory.ts';
import { abiSlots } from './signature.ts';
import { functionNamed } from './traced-function.ts';
import type { BpfWorld } from './world.ts';
import { imageOfStruct, programOfStruct } from './world.ts';

/*
 * The C functions of BPF that an image calls, as functions of the state (kernel/bpf/trampoline.c), and the programs
 * themselves, which look at everything that they were promised.
 */

/** Offsets in `struct bpf_tramp_run_ctx`. */
const COOKIE = 0;
const SAVED_RUN_CTX = 8;

/** __bpf_prog_enter_recur(): 0 when the program runs on this processor already. */
const enter: CFunction<BpfWorld> = (k, cpu) => {
  const prog = k.bpf.progs[programOfStruct(cpu.register(RDI))]!;
  const context = cpu.register(RSI);
  cpu.write(plus(context, SAVED_RUN_CTX), fromHex(k.bpf.runContext));
  k.bpf.runContext = toHex(context);
  prog.active++;
  if (prog.active === 1) {
    cpu.setRegister(RAX, fromNumber(1));
    return;
  }
  prog.misses++;
  cpu.setRegister(RAX, ZERO);
};

/** __bpf_prog_exit_recur(). */
const exit: CFunction<BpfWorld> = (k, cpu) => {
  k.bpf.runContext = toHex(cpu.read(plus(cpu.register(RDX), SAVED_RUN_CTX)));
  k.bpf.progs[programOfStruct(cpu.register(RDI))]!.active--;
};

/** What images call besides programs, by name. */
export const BPF_FUNCTIONS: Readonly<Record<string, CFunction<BpfWorld>>> = {
  __bpf_tramp_enter: (k, cpu) => {
    k.bpf.images[imageOfStruct(cpu.register(RDI))]!.refs++;
  },
  __bpf_tramp_exit: (k, cpu) => {
    k.bpf.images[imageOfStruct(cpu.register(RDI))]!.refs--;
  },
  __bpf_prog_enter_recur: (k, cpu) => {
    k.current.rcu++;
    k.current.migrateOff++;
    enter(k, cpu);
  },
  __bpf_prog_exit_recur: (k, cpu) => {
    exit(k, cpu);
    k.current.migrateOff--;
    k.current.rcu--;
  },
  __bpf_prog_enter_sleepable_recur: (k, cpu) => {
    k.current.rcuTrace++;
    k.current.migrateOff++;
    enter(k, cpu);
  },
  __bpf_prog_exit_sleepable_recur: (k, cpu) => {
    exit(k, cpu);
    k.current.migrateOff--;
    k.current.rcuTrace--;
  },
};

/**
 * A program on a trampoline: `ctx[−1]` says how many argument words there are, `ctx[−2]` where the function is, the
 * word behind the arguments is the return value.
 */
export function runProgram(k: BpfWorld, cpu: Cpu, number: number): void {
  const prog = k.bpf.progs[number]!;
  if (prog.freed) throw new Oops('use after free', `prog#${number} has been freed`);
  if (prog.program.kind === 'freplace') return runExtension(k, cpu, number);
  const ctx = cpu.register(RDI);
  const count = cpu.read(plus(ctx, -8)).lo & 0xff;
  const words = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => toHex(cpu.read(plus(ctx, 8 * (from + i)))));
  const { kind, getFuncIp } = prog.program;
  const target = targetOfRun(k, cpu);
  cpu.events.push({
    kind: 'program',
    who: `prog#${number}`,
    fn: target,
    args: words(0, count),
    ...(kind === 'fentry' ? {} : { ret: words(count, count + 1)[0]! }),
    cookie: toHex(cpu.read(plus(fromHex(k.bpf.runContext), COOKIE))),
    ...(getFuncIp ? { ip: toHex(cpu.read(plus(ctx, -16))) } : {}),
  });
  cpu.setRegister(RAX, prog.returns);
}

/** An extension runs in the place of its target: it is given the arguments themselves, and returns to the caller. */
function runExtension(k: BpfWorld, cpu: Cpu, number: number): void {
  const { target, returns } = k.bpf.progs[number]!;
  const fn = Object.keys(k.text.sites).find((name) => leadsTo(k, name, `prog#${number}`)) ?? '?';
  const slots = abiSlots(functionNamed(k.functions, target)!.signature);
  const args = slots.map(({ place }) => toHex(cpu.register(ARGUMENT_REGS[place.index]!)));
  cpu.events.push({ kind: 'extension', who: `prog#${number}`, fn, args });
  cpu.setRegister(RAX, returns);
}

function leadsTo(k: BpfWorld, fn: string, symbol: string): boolean {
  return k.text.sites[fn] === branchAtSite(k, fn, 'e9', symbol);
}

/** The function whose call a program sees: the one that the image was made for which has called it. */
function targetOfRun(k: BpfWorld, cpu: Cpu): string {
  const caller = cpu.read(cpu.register(RSP));
  const from = (caller.lo - SPACE.PAGES.lo) >>> 0;
  const name = allocatedOn(k, Math.floor(from / PAGE_BYTES), from % PAGE_BYTES)?.name ?? '?';
  return k.bpf.images[name]?.target ?? targetOfPage(k, name);
}

/** A half of a page in which no image lies any more still belongs to a trampoline (generation A). */
function targetOfPage({ bpf }: BpfWorld, page: string): string {
  return Object.keys(bpf.trampolines).find((target) => imagePage(target) === page) ?? '?';
}
