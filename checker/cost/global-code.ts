import { nextInstruction } from '../../model/call/next-instruction.ts';
import { ReturnStack } from '../../model/cost/return-stack.ts';
import type { CallerShape } from '../../model/trampoline/designs/global/global-caller.ts';
import { emitGlobalCaller } from '../../model/trampoline/designs/global/global-caller.ts';
import { PERCPU_REF } from '../../model/trampoline/designs/global/inlined.ts';
import { LISTS, MIN_BITS } from '../../model/trampoline/designs/global/kfunc-md.ts';
import { ARRAY, MD, NODE, PROG } from '../../model/trampoline/designs/global/kfunc-md-memory.ts';
import { Assembler } from '../../model/x86/assemble.ts';
import { createMachine } from '../../model/x86/create-machine.ts';
import { FAMILY } from '../../model/x86/instruction.ts';
import type { Machine } from '../../model/x86/machine.ts';
import { placeOf, readRegister, regionNamed, writeRegister } from '../../model/x86/machine.ts';
import { EXECUTE, offsetIn, READ, readWord, WRITE, writeBytes, writeWord } from '../../model/x86/memory.ts';
import { RAX, RSP } from '../../model/x86/register.ts';
import { run } from '../../model/x86/run.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromHex, fromNumber, plus } from '../../model/x86/word.ts';

/*
 * A caller of the global trampoline, executed alone: on metadata of one function with one program, with functions
 * in C that only return. So code can be counted that no kernel of the model contains.
 *
 * ```text
 *   the caller of the function -> the function -> bpf_global_caller_N -> bpf_global_caller_N_run
 * ```
 */

/** One call of a function with a program. */
export interface GlobalCode {
  readonly instructions: number;
  /** Returns that a CPU mispredicts. */
  readonly strayReturns: number;
  /** Functions in C, and how often they are called; without the program and the function itself. */
  readonly cFunctions: Readonly<Record<string, number>>;
}

const CODE = fromHex('0xffffffff81000000');
const STUBS = fromHex('0xffffffff81100000');
const DATA = fromHex('0xffffffff82000000');
const STACK = fromHex('0xffffc90000100000');
const STACK_BYTES = 0x400;
const BYTES = 0x800;
/** The return address of the function's caller. */
const RETURN_AT = 0x300;

const FUNCTIONS = [
  '__rcu_read_lock',
  '__rcu_read_unlock',
  'migrate_disable',
  'migrate_enable',
  'kfunc_md_enter',
  'kfunc_md_exit',
  '__bpf_prog_enter_recur',
  '__bpf_prog_exit_recur',
  '__bpf_prog_enter_sleepable_recur',
  '__bpf_prog_exit_sleepable_recur',
];
const PROGRAM = 'the program';
const BODY = 'the function';
const PARENT = 'the caller of the function';
const PLACES = [...FUNCTIONS, PROGRAM, BODY, PARENT];
const PLACE_BYTES = 16;
/** Of the call in the function, which is its first instruction. */
const CALL_BYTES = 5;
/** Instructions after which a caller that does not end has failed. */
const BUDGET = 1000;

/** The symbol of the function's metadata. */
export const METADATA = 'metadata of the function';

/** Objects in the data. */
const AT = {
  array: 0,
  md: 0x100,
  node: 0x180,
  prog: 0x1c0,
  active: 0x200,
  count: 0x208,
  currentTask: 0x210,
  task: 0x218,
  kfuncMds: 0x220,
};
/** bpf_modify_return programs answer this errno, as that of the benchmark does. */
const ERRNO = fromNumber(-22);

/** A call of a function with `nrArgs` arguments and one program, at its entry, in its place, or at its exit. */
export function runGlobalCode(
  shape: CallerShape,
  { nrArgs, kind, sleepable = false }: { nrArgs: number; kind: GlobalKind; sleepable?: boolean },
): GlobalCode {
  const machine = machineFor(shape, nrArgs);
  layOutData(machine, kind, sleepable);
  const returns = new ReturnStack();
  returns.called(placeAt(PARENT));
  returns.called(afterSite());
  return execute(machine, kind, returns);
}

/** Instruction by instruction, until the function resumes after its call site, or its caller does. */
function execute(machine: Machine, kind: GlobalKind, returns: ReturnStack): GlobalCode {
  const cFunctions: Record<string, number> = {};
  let strayReturns = 0;
  for (let instructions = 0; instructions < BUDGET; ) {
    const here = placeName(machine);
    if (here === PARENT || (here === BODY && stackOffset(machine) === RETURN_AT))
      return { instructions, strayReturns, cFunctions };
    if (here !== undefined) {
      if (FUNCTIONS.includes(here)) cFunctions[here] = (cFunctions[here] ?? 0) + 1;
      returnFromC(machine, here === PROGRAM && kind === 'fmod_ret' ? ERRNO : fromNumber(1));
      returns.leavesC(machine.rip);
      continue;
    }
    const next = nextInstruction(machine);
    const stop = run(machine, 1);
    if (stop.kind === 'fault') throw new Error(`${stop.fault.kind} at ${placeOf(machine, stop.at)}`);
    instructions++;
    if (next?.family === FAMILY.CALL) returns.called(next.behind);
    if (next?.family === FAMILY.RETURN && !returns.returns(machine.rip)) strayReturns++;
  }
  throw new Error('the code does not end');
}

/** The function in C, or other place that is no code here, that execution has come to. */
function placeName(machine: Machine): string | undefined {
  const offset = offsetIn(regionNamed(machine, 'places'), machine.rip.hi, machine.rip.lo);
  return PLACES[Math.floor(offset / PLACE_BYTES)];
}

function placeAt(name: string): Word {
  return plus(STUBS, PLACES.indexOf(name) * PLACE_BYTES);
}

/** Where the traced function continues. */
function afterSite(): Word {
  return plus(placeAt(BODY), CALL_BYTES);
}

function stackOffset(machine: Machine): number {
  const { hi, lo } = readRegister(machine, RSP);
  return offsetIn(machine.stack, hi, lo);
}

function returnFromC(machine: Machine, answer: Word): void {
  const offset = stackOffset(machine);
  Object.assign(machine.rip, readWord(machine.stack, offset));
  writeRegister(machine, RSP, plus(STACK, offset + 8));
  writeRegister(machine, RAX, answer);
}

/** At the first instruction of the caller, which a function has called that another has called. */
function machineFor(shape: CallerShape, nrArgs: number): Machine {
  const machine = createMachine(
    [
      { name: 'stack', base: STACK, size: STACK_BYTES, permission: READ | WRITE },
      { name: 'data', base: DATA, size: BYTES, permission: READ | WRITE },
      { name: 'code', base: CODE, size: BYTES, permission: READ | EXECUTE },
      { name: 'places', base: STUBS, size: PLACES.length * PLACE_BYTES, permission: READ | EXECUTE },
    ],
    { stack: 'stack', data: 'data' },
  );
  const a = new Assembler(CODE, addressOf);
  emitGlobalCaller(a, nrArgs, shape);
  writeBytes(regionNamed(machine, 'code'), 0, a.finish().bytes);
  // The padding before the function: the index of its metadata.
  writeBytes(regionNamed(machine, 'places'), 0, new Uint8Array(PLACES.length * PLACE_BYTES));
  writeWord(machine.stack, RETURN_AT, placeAt(PARENT));
  writeWord(machine.stack, RETURN_AT - 8, afterSite());
  writeRegister(machine, RSP, plus(STACK, RETURN_AT - 8));
  Object.assign(machine.rip, CODE);
  return machine;
}

const VARIABLES: Readonly<Record<string, number>> = {
  kfunc_mds: AT.kfuncMds,
  current_task: AT.currentTask,
  [METADATA]: AT.md,
};

function addressOf(symbol: string): Word {
  const variable = VARIABLES[symbol];
  return variable === undefined ? placeAt(symbol) : plus(DATA, variable);
}

const LIST_OF = {
  fentry: LISTS.FENTRY,
  fexit: LISTS.FEXIT,
  fmod_ret: LISTS.MODIFY_RETURN,
} as const;
export type GlobalKind = keyof typeof LIST_OF;

/** Every list of the hash has the one entry, and the padding before the function has its index, 0. */
function layOutData(machine: Machine, kind: GlobalKind, sleepable: boolean): void {
  const data = regionNamed(machine, 'data');
  writeBytes(data, 0, new Uint8Array(BYTES));
  const put = (offset: number, value: Word) => writeWord(data, offset, value);
  const pointer = (offset: number) => plus(DATA, offset);
  put(AT.kfuncMds, pointer(AT.array));
  put(AT.array + ARRAY.MDS, pointer(AT.md));
  put(AT.array + ARRAY.HASH_BITS, fromNumber(MIN_BITS));
  for (let list = 0; list < 2 ** MIN_BITS; list++) put(AT.array + ARRAY.LISTS + 8 * list, pointer(AT.md));
  put(AT.md + MD.FUNC, placeAt(BODY));
  put(AT.md + MD.PROGS + 8 * LIST_OF[kind], pointer(AT.node));
  put(AT.md + MD.USERS, fromNumber(kind === 'fentry' ? 1 : 0x1_0001));
  put(AT.md + PERCPU_REF.COUNT_PTR, pointer(AT.count));
  put(AT.node + NODE.PROG, pointer(AT.prog));
  put(AT.prog + PROG.SLEEPABLE, fromNumber(sleepable ? 1 : 0));
  put(AT.prog + PROG.ACTIVE, pointer(AT.active));
  put(AT.prog + PROG.FUNC, placeAt(PROGRAM));
  put(AT.currentTask, pointer(AT.task));
}
