import type { FunctionName, ProgId } from '../core/ids.ts';
import type { Routine } from '../core/part.ts';
import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import type { Current } from '../task/current.ts';
import { TASK } from '../task/current.ts';
import { allocatedOn } from '../text/allocated-on.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import { PAGE_BYTES, SPACE } from '../text/space.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import { RAX, RDI, RDX, RSI, RSP } from '../x86/register.ts';
import { fromHex, fromNumber, plus, toHex, ZERO } from '../x86/word.ts';
import { designOf } from './designs/chosen.ts';
import { calledFunction } from './designs/shared-image.ts';
import { imagePage } from './image-memory.ts';
import { imageInMemory, programInMemory } from './in-memory.ts';
import { abiSlots, slotCount, wordsOfArguments } from './signature.ts';
import { functionNamed, knownFunction } from './traced-function.ts';
import type { BpfProg, BpfView, BpfWorld } from './world.ts';
import { imageOfStruct, programOfStruct } from './world.ts';

/*
 * The C functions of BPF that an image calls, as functions of the state (kernel/bpf/trampoline.c), and the
 * programs themselves, which read everything that they were promised.
 *
 * ```text
 *   image                               section                          counted
 *   __bpf_tramp_enter(im)               –                                im->pcref + 1
 *   __bpf_prog_enter_recur(prog, ctx)   rcu_read_lock, migrate_disable   prog->active + 1
 *   program(ctx)
 *   __bpf_prog_exit_recur(prog, …)      both released                    prog->active − 1
 *   __bpf_prog_enter(prog, ctx)         the same                         nothing: a program of BPF LSM
 *   call of the original                –
 *   __bpf_tramp_exit(im)                –                                im->pcref − 1
 * ```
 *
 * Between two lines of the left column the image runs with nothing held but what is listed above it.
 */

/**
 * Offsets in `struct bpf_tramp_run_ctx`: bpf_get_attach_cookie() reads the first, the second chains outer
 * contexts.
 */
const COOKIE = 0;
const SAVED_RUN_CTX = 8;

/** A program is entered or left: `rdi` is its `struct bpf_prog`. */
interface AtProgram {
  readonly cpu: Cpu;
}

/** The read-side section of RCU in which a program runs. */
type Section = 'rcu' | 'rcuTrace';

/**
 * __bpf_prog_enter_recur() and __bpf_prog_enter_sleepable_recur(): 0 when the program is running on this CPU
 * already, and the image then skips the program but still calls the exit helper. The section is entered first, so
 * that the program cannot be freed afterwards. __bpf_prog_enter() and __bpf_prog_enter_sleepable() do not count.
 */
function entering(name: string, section: Section, counts: boolean): Routine<BpfWorld, AtProgram> {
  return routine<BpfWorld, AtProgram>(name, ({ step }) => [
    step(LOCKS[section], ({ current }) => {
      current[section]++;
      current.migrateOff++;
    }),
    step(counts ? 'set the run context, and count' : 'set the run context', (k, { cpu }) => {
      const prog = programInMemory(k, programOfStruct(cpu.register(RDI)), name);
      const context = cpu.register(RSI);
      cpu.write(plus(context, SAVED_RUN_CTX), fromHex(k.bpf.runContext));
      k.bpf.runContext = toHex(context);
      const isSkipped = counts && ++prog.active > 1;
      if (isSkipped) prog.misses++;
      cpu.setRegister(RAX, isSkipped ? ZERO : fromNumber(1));
    }),
  ]);
}

/** __bpf_prog_exit_recur() and __bpf_prog_exit_sleepable_recur(): called even if the program was skipped. */
function leaving(name: string, section: Section, counts: boolean): Routine<BpfWorld, AtProgram> {
  return routine<BpfWorld, AtProgram>(name, ({ step }) => [
    step(counts ? 'reset the run context, and count' : 'reset the run context', (k, { cpu }) => {
      k.bpf.runContext = toHex(cpu.read(plus(cpu.register(RDX), SAVED_RUN_CTX)));
      const prog = programInMemory(k, programOfStruct(cpu.register(RDI)), name);
      if (counts) prog.active--;
    }),
    step(UNLOCKS[section], ({ current }) => {
      current.migrateOff--;
      current[section]--;
    }),
  ]);
}

/** 7.2 disables migration first; no other actor can tell. */
const LOCKS = { rcu: 'rcu_read_lock, migrate_disable', rcuTrace: 'rcu_read_lock_trace, migrate_disable' };
const UNLOCKS = { rcu: 'migrate_enable, rcu_read_unlock', rcuTrace: 'migrate_enable, rcu_read_unlock_trace' };

/** The helpers around a program. */
export const BPF_ROUTINES: readonly Routine<BpfWorld, AtProgram>[] = [
  entering('__bpf_prog_enter_recur', 'rcu', true),
  leaving('__bpf_prog_exit_recur', 'rcu', true),
  entering('__bpf_prog_enter_sleepable_recur', 'rcuTrace', true),
  leaving('__bpf_prog_exit_sleepable_recur', 'rcuTrace', true),
  entering('__bpf_prog_enter', 'rcu', false),
  leaving('__bpf_prog_exit', 'rcu', false),
  entering('__bpf_prog_enter_sleepable', 'rcuTrace', false),
  leaving('__bpf_prog_exit_sleepable', 'rcuTrace', false),
];

/**
 * The functions in C that images call, besides programs. percpu_ref_get() and percpu_ref_put() are one step each.
 */
export const BPF_FUNCTIONS: CFunctions<BpfWorld> = {
  __bpf_tramp_enter: {
    atOnce: (k, cpu) => {
      imageInMemory(k, imageOfStruct(cpu.register(RDI)), '__bpf_tramp_enter').refs++;
    },
  },
  __bpf_tramp_exit: {
    atOnce: (k, cpu) => {
      imageInMemory(k, imageOfStruct(cpu.register(RDI)), '__bpf_tramp_exit').refs--;
    },
  },
  ...Object.fromEntries(
    BPF_ROUTINES.map(({ name }) => [name, { routine: name, give: (_: BpfView, cpu: Cpu) => ({ cpu }) }]),
  ),
};

/**
 * A program on a trampoline. `ctx[−1]` holds the number of argument words, and in its highest bit which half of a
 * session runs; `ctx[−2]` the address of the function; the word after the arguments is the return value. The
 * program reads all that the verifier let it read, at the offsets that it was checked with.
 */
export function runProgram(k: BpfWorld, cpu: Cpu, number: ProgId): void {
  const prog = programInMemory(k, number, 'the program itself');
  if (prog.program.kind === 'freplace') return runExtension(k, cpu, number);
  const ctx = cpu.register(RDI);
  const meta = cpu.read(plus(ctx, -8));
  const target = targetOfRun(k, cpu);
  const { args, returnAt } = placesRead(k, prog, target, meta.lo & 0xff);
  const word = (index: number) => toHex(cpu.read(plus(ctx, 8 * index)));
  const { kind, getFuncIp, cgroup, sleepable } = prog.program;
  if (sleepable && isAtomic(k.current)) warn(k, { is: 'sleep in an atomic section', prog: number });
  cpu.events.push({
    kind: 'program',
    who: `prog#${number}`,
    fn: target,
    args: args.map(word),
    ...(kind === 'fentry' || returnAt === undefined ? {} : { ret: word(returnAt) }),
    ...(cgroup === true ? {} : { cookie: toHex(cpu.read(plus(fromHex(k.bpf.runContext), COOKIE))) }),
    ...(kind === 'fsession' && meta.hi >>> 31 === 1 ? { atReturn: true } : {}),
    ...(getFuncIp ? { ip: toHex(cpu.read(plus(ctx, -16))) } : {}),
  });
  cpu.setRegister(RAX, prog.returns);
}

/** __might_resched(): what a task must not hold when it sleeps. Interrupts call functions that may not sleep. */
function isAtomic({ preemptOff, rcu, context, early }: Current): boolean {
  return context === TASK && !early && preemptOff + rcu > 0;
}

/** The words of ctx that a program takes for arguments, and for the return value; undefined: it reads none. */
interface PlacesRead {
  readonly args: readonly number[];
  readonly returnAt: number | undefined;
}

/**
 * Helpers use `ctx[−1]` (`counted`): bpf_get_func_arg() answers EINVAL for all further words, which are no arguments of
 * the event then. A program that reads ctx itself uses the signature it was checked against: its function, or for multi
 * links a stub, of which only the arguments that the function has as well are promised.
 */
function placesRead(k: BpfView, prog: BpfProg, fn: FunctionName, counted: number): PlacesRead {
  const { program, target } = prog;
  if (program.accesses !== undefined) return placesAccessed(k, prog, program.accesses);
  const { reads, multi } = program;
  const stub = multi ? designOf(profileNamed(k.profile))?.stubWords : undefined;
  const own = stub === undefined ? undefined : wordsOf(k, fn);
  const checked = multi ? stub : wordsOf(k, target);
  const readable = reads === 'direct' ? (checked ?? counted) : counted;
  const args = Math.min(own ?? Infinity, readable);
  const found = reads === 'helpers' ? counted : (checked ?? counted);
  // bpf_get_func_ret() answers EOPNOTSUPP to a program of BPF LSM.
  const returnAt = reads === 'helpers' && program.lsm === true ? undefined : found;
  return { args: Array.from({ length: args }, (_, i) => i), returnAt };
}

/** A program checked against a first function reads the words at that function's offsets. */
function placesAccessed(k: BpfView, { program, target }: BpfProg, accesses: readonly number[]): PlacesRead {
  const { signature } = knownFunction(k.functions, target);
  return {
    args: wordsOfArguments(signature, accesses),
    returnAt: program.reads === 'return directly' ? slotCount(signature) : undefined,
  };
}

/** Argument words of a function; undefined when the function is not known. */
function wordsOf(k: BpfView, name: string): number | undefined {
  const found = functionNamed(k.functions, name);
  return found === undefined ? undefined : slotCount(found.signature);
}

/**
 * An extension runs in place of its target: it gets the arguments themselves, and returns to the caller. The call
 * site may have changed since: a task may have passed it before.
 */
function runExtension(k: BpfView, cpu: Cpu, number: ProgId): void {
  const { target, returns } = entry(k.bpf.progs, number);
  const slots = abiSlots(knownFunction(k.functions, target).signature);
  const args = slots.map(({ place }) => toHex(cpu.register(item(ARGUMENT_REGS, place.index))));
  cpu.events.push({ kind: 'extension', who: `prog#${number}`, fn: target, args });
  cpu.setRegister(RAX, returns);
}

/** The function whose call a program sees, by the image that called it; a shared image does not name one. */
function targetOfRun(k: BpfWorld, cpu: Cpu): string {
  const caller = cpu.read(cpu.register(RSP));
  const from = (caller.lo - SPACE.PAGES.lo) >>> 0;
  const name = allocatedOn(k, Math.floor(from / PAGE_BYTES), from % PAGE_BYTES)?.name ?? '?';
  const image = k.bpf.images[name];
  if (image !== undefined) return image.target === '' ? calledFunction(k, cpu) : image.target;
  return designOf(profileNamed(k.profile))?.tracedBy?.(k, cpu, name) ?? targetOfPage(k, name);
}

/** A half of a page without an image still belongs to a trampoline (generation A). */
function targetOfPage({ bpf }: BpfView, page: string): string {
  return Object.keys(bpf.trampolines).find((target) => imagePage(target) === page) ?? '?';
}
