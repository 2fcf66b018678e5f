import type { ArgumentSlot } from '../../model/abi/x86-64.ts';
import { entry, item } from '../../model/core/present.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import { setStart } from '../../model/trampoline/stage/cells.ts';
import { EVENT, eventWords, PROGRAM_ARGUMENTS } from '../../model/trampoline/stage/event.ts';
import { CELL, PROGRAMS_MAX, STACK_BYTES } from '../../model/trampoline/stage/layout.ts';
import { beginCall, callWith } from '../../model/trampoline/stage/prepare.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { CALLER_RETURN } from '../../model/trampoline/stage/stubs.ts';
import { ARGUMENT_REGS } from '../../model/x86/argument-registers.ts';
import { cell } from '../../model/x86/cell.ts';
import { describeFault } from '../../model/x86/fault-words.ts';
import type { Stop } from '../../model/x86/machine.ts';
import { readRegister, writeRegister } from '../../model/x86/machine.ts';
import { offsetIn, readWord, writeWord } from '../../model/x86/memory.ts';
import { CALLEE_SAVED, RAX, RDX, registerName } from '../../model/x86/register.ts';
import { run } from '../../model/x86/run.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, fromHex, fromNumber, toHex } from '../../model/x86/word.ts';
import { BODY_ARGUMENTS, BODY_EVENT, bodyName, FTRACE_EVENT, REPLACEMENT_EVENT } from './bodies.ts';
import type { RecordedImage, RecordedImageEvent, RecordedProgram } from './record.ts';
import type { RecordedStage } from './stage.ts';
import { hasFlag, programNumber } from './target.ts';

/** Instructions of one recorded call, at most. */
const BUDGET = 100_000;

/** The events of a call, in the recorder's terms. */
export interface ComparedCall {
  readonly events: readonly RecordedImageEvent[];
  readonly rax: string;
  readonly rdx: string;
  /** Callee-saved registers that were not preserved, by name. */
  readonly lost: readonly string[];
}

/** Makes the recorded call on a stage with image and bodies in place; a sentence when it does not return. */
export function makeCall(
  { stage, subject, traced }: RecordedStage,
  record: RecordedImage,
): ComparedCall | string {
  const slots = abiSlots(subject.request.signature);
  layOut(stage, record, slots);
  const before = CALLEE_SAVED.map((reg) => readRegister(stage.machine, reg));
  const stop = runToCaller(stage);
  if (stop.kind === 'fault') return describeFault(stage.machine, stop.fault);
  if (stop.kind !== 'breakpoint') return `the call does not return within ${BUDGET} instructions`;
  return {
    events: readEvents(stage, record, slots, traced.id),
    rax: toHex(readRegister(stage.machine, RAX)),
    rdx: toHex(readRegister(stage.machine, RDX)),
    lost: CALLEE_SAVED.filter((reg, i) => !equal(readRegister(stage.machine, reg), item(before, i))).map(
      (reg) => registerName(reg),
    ),
  };
}

/** Skips the breakpoints where a search would branch, until the call returns to the caller. */
function runToCaller(stage: Stage): Stop {
  for (;;) {
    const stop = run(stage.machine, BUDGET);
    if (stop.kind !== 'breakpoint' || equal(stop.at, entry(stage.stubs, CALLER_RETURN))) return stop;
  }
}

/** Registers and stack words as in the recorded call; programs return what the recorder's did. */
function layOut(stage: Stage, record: RecordedImage, slots: readonly ArgumentSlot[]): void {
  beginCall(stage, callWith(stage, slots));
  stage.machine.strict = false;
  record.call.regs.forEach((word, i) => {
    writeRegister(stage.machine, item(ARGUMENT_REGS, i), fromHex(word));
  });
  record.call.stk.forEach((word, i) => {
    writeWord(stage.stack, STACK_BYTES + 8 * i, fromHex(word));
  });
  for (let id = 0; id <= PROGRAMS_MAX; id++) setStart(stage, id, true);
  for (const { id, ret } of record.progs)
    writeWord(stage.data, CELL.PROGRAM_RETURN + 8 * programNumber(id), fromNumber(ret));
}

/** The log in the recorder's terms. */
function readEvents(
  stage: Stage,
  record: RecordedImage,
  slots: readonly ArgumentSlot[],
  own: number,
): RecordedImageEvent[] {
  const { data } = stage;
  const next = readWord(data, CELL.LOG_NEXT);
  const end = offsetIn(data, next.hi, next.lo);
  const events: RecordedImageEvent[] = [];
  for (let position = CELL.LOG; position < end; ) {
    const header = cell(data.words, position >> 2);
    const word = (index: number) => readWord(data, position + 8 * index);
    const event = recorderEvent(header & 0xff, header >>> 8, word, record, slots.length, own);
    if (event !== undefined) events.push(event);
    position += 8 * wordsOf(header & 0xff, word, slots.length);
  }
  return events;
}

type ReadWord = (index: number) => Word;

function wordsOf(kind: number, word: ReadWord, slots: number): number {
  if (kind === BODY_EVENT) return BODY_ARGUMENTS + word(2).lo;
  if (kind === FTRACE_EVENT) return 2 + ARGUMENT_REGS.length;
  return kind === REPLACEMENT_EVENT ? 2 : eventWords(kind, slots, 0);
}

/** One event; the helpers' own events are invisible to a recorder. `own` is the number of the traced function. */
function recorderEvent(
  kind: number,
  number: number,
  word: ReadWord,
  record: RecordedImage,
  slots: number,
  own: number,
): RecordedImageEvent | undefined {
  switch (kind) {
    case EVENT.PROGRAM:
      return programEvent(record.progs.find(({ id }) => programNumber(id) === number)!, word, record, slots);
    case BODY_EVENT:
      return bodyEvent(number, word, own);
    case FTRACE_EVENT:
      return {
        h: 'ftrace',
        k: 'ipmod',
        a: range(Math.min(ARGUMENT_REGS.length, slots)).map((i) => toHex(word(2 + i))),
      };
    case REPLACEMENT_EVENT:
      return { h: 'repl' };
    default:
      return undefined;
  }
}

function bodyEvent(id: number, word: ReadWord, own: number): RecordedImageEvent {
  const name = id === own ? undefined : bodyName(id);
  const args = range(word(2).lo).map((i) => toHex(word(BODY_ARGUMENTS + i)));
  return {
    h: 'body',
    ...(name === undefined ? {} : { fn: name }),
    ...(args.length > 0 ? { a: args } : {}),
    ret: toHex(word(3)),
  };
}

/**
 * What the recorder's program logs. Through the helpers it reads six words if it is compiled for many functions, and
 * gets zero for words that the function does not have; it reads the return value if its kind may.
 */
function programEvent(
  program: RecordedProgram,
  word: ReadWord,
  record: RecordedImage,
  slots: number,
): RecordedImageEvent {
  const multi = program.kind.endsWith('m');
  const asked = multi ? 6 : slots;
  const zero = { hi: 0, lo: 0 };
  return {
    h: 'bpf',
    id: program.id,
    n: hasFlag(program, 'n') ? word(3).lo & 0xff : asked,
    a: range(asked).map((i) => toHex(i < slots ? word(PROGRAM_ARGUMENTS + i) : zero)),
    ret: toHex(readsReturn(program, record) ? word(PROGRAM_ARGUMENTS + slots) : zero),
    ...(program.cookie ? { cookie: toHex(word(5)) } : {}),
    ...(program.get_func_ip ? { ip: functionIp(word(4), fromHex(record.func_addr)) } : {}),
  };
}

/**
 * fexit and fmod_ret use a helper or ctx; sessions use ctx, unless multi; a void function has no return value in ctx.
 */
function readsReturn(program: RecordedProgram, record: RecordedImage): boolean {
  const byHelper =
    program.kind === 'fexitm' || (hasFlag(program, 'h') && /^(fexit|fmod)$/.test(program.kind));
  return byHelper || (/^(fexit|fmod|fses)$/.test(program.kind) && record.ret !== 'void');
}

function functionIp(ip: Word, traced: Word): string {
  return ip.hi === traced.hi ? `fn+${(ip.lo - traced.lo) | 0}` : toHex(ip);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** The first difference to the recorded call, in one sentence; undefined when there is none. */
export function compareCall(record: RecordedImage, observed: ComparedCall): string | undefined {
  const { call } = record;
  const kprobes = new Set(record.progs.filter(({ kind }) => /^k/.test(kind)).map(({ id }) => id));
  const recorded = call.ev.filter(({ h, id }) => !(h === 'bpf' && id !== undefined && kprobes.has(id)));
  for (let i = 0; i < Math.max(recorded.length, observed.events.length); i++) {
    const kernel = printEvent(recorded[i]);
    const model = printEvent(observed.events[i]);
    if (kernel !== model) return `event ${i + 1} is ${kernel}, the model has ${model}`;
  }
  if (call.rax !== observed.rax) return `rax is ${call.rax}, the model has ${observed.rax}`;
  if (record.ret === 's16b' && call.rdx !== observed.rdx)
    return `rdx is ${call.rdx}, the model has ${observed.rdx}`;
  if (call.callee_saved_bad === 0 && observed.lost.length > 0)
    return `the model loses ${observed.lost.join(', ')}`;
  return undefined;
}

/** An event on one line, its fields in a fixed order. */
function printEvent(event: RecordedImageEvent | undefined): string {
  if (event === undefined) return 'nothing';
  const { h, k, fn, id, n, a, ret, cookie, ip } = event;
  const named = Object.entries({ k, fn, id, n, a: a && `[${a.join(', ')}]`, ret, cookie, ip });
  return [
    h,
    ...named.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`),
  ].join(' ');
}
