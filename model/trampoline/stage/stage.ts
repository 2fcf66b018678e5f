import type { Place } from '../../abi/x86-64.ts';
import type { Resolve } from '../../x86/assemble.ts';
import { Assembler } from '../../x86/assemble.ts';
import { REG_STRIDE } from '../../x86/instruction.ts';
import type { Machine } from '../../x86/machine.ts';
import { createMachine, forgetCode, writeRegister } from '../../x86/machine.ts';
import type { Region, RegionSpec } from '../../x86/memory.ts';
import { clear, EXECUTE, READ, WRITE, writeBytes, writeWord } from '../../x86/memory.ts';
import { GROUP_MAX, highTags, lowTags } from '../../x86/origin.ts';
import {
  CALLER_SAVED,
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
import type { Word } from '../../x86/word.ts';
import { plus, ZERO } from '../../x86/word.ts';
import { CALL_DEPTH } from '../generate.ts';
import { IMAGE, IMAGE_STRUCT, ORIGINAL, TRACED } from '../plan.ts';
import * as group from './groups.ts';
import type { Layout } from './layout.ts';
import {
  CALL_DEPTH_ADDRESS,
  CALLER_FRAME,
  CALLER_FRAME_BYTES,
  CELL,
  DATA,
  DATA_BYTES,
  GS_BASE,
  IMAGE_BYTES,
  IMAGE_STRUCT_ADDRESS,
  LAYOUT,
  PER_CPU_OFFSET,
  PROGRAMS_MAX,
  programStructAddress,
  STACK,
  STACK_BYTES,
} from './layout.ts';
import type { Emitters } from './stubs.ts';
import { assembleStubs, bodyStub, EMITTERS, programStub } from './stubs.ts';

/** Bytes of `endbr64`, and of the call site behind it. */
const ENDBR_BYTES = 4;
export const SITE_BYTES = 5;

/** Everything that an image needs around it to be run: a machine with stubs, stack and caller. */
export interface Stage {
  readonly machine: Machine;
  readonly layout: Layout;
  readonly text: Region;
  readonly traced: Region;
  readonly image: Region;
  readonly stack: Region;
  readonly data: Region;
  /** Addresses of the stubs by name. */
  readonly stubs: Readonly<Record<string, Word>>;
  /** Addresses of all that a plan refers to, by number of argument words and IBT. */
  readonly symbols: Map<string, Word>[];
  /** The same the other way round, by hexadecimal text. */
  readonly names: Map<string, string>[];
  /** The word that enter answers from, by program number: the first of its `struct bpf_prog`. */
  readonly startCells: readonly Cell[];
  /** What stands in the image's region and at the call site now. */
  readonly installed: { imageBytes: number; site: number };
  /** Calls that have been laid out, by the places of their arguments. */
  readonly calls: Map<string, PreparedCall>;
}

/** A word of memory. */
export interface Cell {
  readonly region: Region;
  /** Bytes from its start. */
  readonly offset: number;
}

/** How a call site leads to the image. */
export interface Entry {
  readonly ibt: boolean;
  /** By `jmp` instead of `call`. */
  readonly jmp: boolean;
  /** Through an ftrace handler that has redirected the call to a replacement (live patch). */
  readonly redirected: boolean;
}

/** What differs between stages: where things lie, and what else is mapped. */
export interface StageSpec {
  readonly layout: Layout;
  /** Bytes that are mapped for the image. */
  readonly imageBytes: number;
  /** The per-CPU counter of call-depth tracking. */
  readonly callDepth: Word;
  /** `struct bpf_prog` by program number, when they do not lie in the data region. */
  readonly structs: readonly (Word | undefined)[];
  /** Five-byte jumps to stubs, at the addresses where a given image expects the functions. */
  readonly pads: readonly Pad[];
  /** More code: bodies of traced functions. */
  readonly extra: Code | undefined;
  readonly emitters: Emitters;
}

export interface Pad {
  readonly name: string;
  readonly address: Word;
  /** Where it leads. */
  readonly stub: Word | string;
}

export interface Code {
  readonly base: Word;
  readonly bytes: Uint8Array;
}

export const PLAIN_STAGE: StageSpec = {
  layout: LAYOUT,
  imageBytes: IMAGE_BYTES,
  callDepth: CALL_DEPTH_ADDRESS,
  structs: [],
  pads: [],
  extra: undefined,
  emitters: EMITTERS,
};

/** Bytes of the traced function that are mapped: its site, a jump to its body, a redirection. */
const TRACED_BYTES = 128;
/** Bytes of a pad's region: a jump, wherever in eight bytes it starts. */
const PAD_BYTES = 16;

export function createStage(spec: StageSpec = PLAIN_STAGE): Stage {
  const { layout } = spec;
  const stubs = assembleStubs(layout.text, layout.traced, spec.emitters);
  const machine = createMachine(regionSpecs(spec, stubs.bytes.length), {
    stack: 'stack',
    data: 'data',
    journalled: IMAGE,
  });
  machine.gsBase = GS_BASE;
  machine.controlGroups = group.CONTROL_GROUPS;
  const named = (name: string) => machine.regions.find((region) => region.name === name)!;
  const stage: Stage = {
    machine,
    layout,
    text: named('text'),
    traced: named('f'),
    image: named(IMAGE),
    stack: named('stack'),
    data: named('data'),
    stubs: Object.fromEntries([...stubs.labels].map(([name, offset]) => [name, plus(layout.text, offset)])),
    symbols: [],
    names: [],
    startCells: Array.from({ length: PROGRAMS_MAX + 1 }, (_, id) => startCell(machine, spec, id)),
    installed: { imageBytes: named(IMAGE).size, site: -1 },
    calls: new Map(),
  };
  writeBytes(stage.text, 0, stubs.bytes);
  if (spec.extra !== undefined) writeBytes(named('bodies'), 0, spec.extra.bytes);
  for (const pad of spec.pads) writePad(stage, pad);
  writeWord(named('percpu'), spec.callDepth.lo & 7, { hi: 0x80000000 | 0, lo: 0 });
  writeFixedCells(stage);
  return stage;
}

function regionSpecs(spec: StageSpec, textBytes: number): RegionSpec[] {
  const { layout, callDepth, structs, pads, extra } = spec;
  const code = READ | EXECUTE;
  const specs: RegionSpec[] = [
    { name: IMAGE, base: layout.image, size: spec.imageBytes, permission: code },
    { name: 'text', base: layout.text, size: textBytes, permission: code },
    { name: 'f', base: layout.traced, size: TRACED_BYTES, permission: code },
    {
      name: 'stack',
      base: STACK,
      size: STACK_BYTES + CALLER_FRAME_BYTES,
      permission: READ | WRITE,
      writableBytes: STACK_BYTES,
    },
    { name: 'data', base: DATA, size: DATA_BYTES, permission: READ | WRITE },
    { name: 'percpu', base: alignDown(callDepth), size: PAD_BYTES, permission: READ | WRITE },
  ];
  if (extra !== undefined)
    specs.push({ name: 'bodies', base: extra.base, size: extra.bytes.length, permission: code });
  structs.forEach((base, id) => {
    if (base !== undefined) specs.push({ name: `&prog#${id}`, base, size: 16, permission: READ });
  });
  for (const { name, address } of pads)
    specs.push({ name, base: alignDown(address), size: PAD_BYTES, permission: code });
  return specs;
}

function alignDown(address: Word): Word {
  return { hi: address.hi, lo: address.lo & ~7 };
}

/** A jump to the stub that stands in for a function. */
function writePad(stage: Stage, { name, address, stub }: Pad): void {
  const to = typeof stub === 'string' ? stage.stubs[stub] : stub;
  if (to === undefined) throw new Error(`there is no stub for ${name}`);
  const a = new Assembler(address, () => to);
  a.jump(name);
  const region = stage.machine.regions.find((r) => r.name === name)!;
  writeBytes(region, address.lo - region.base.lo, a.finish().bytes);
}

function startCell(machine: Machine, { structs }: StageSpec, id: number): Cell {
  const own =
    structs[id] === undefined ? undefined : machine.regions.find(({ name }) => name === `&prog#${id}`);
  if (own !== undefined) return { region: own, offset: 0 };
  return { region: machine.data, offset: CELL.PROGRAM_STRUCT + 16 * id };
}

/** Addresses of the symbols that a plan refers to, for functions of `slots` argument words. */
export function stageSymbols(stage: Stage, slots: number, ibt: boolean): Resolve {
  return (symbol) => symbolsFor(stage, slots, ibt).get(symbol);
}

/** The same as a map. */
export function symbolsFor(stage: Stage, slots: number, ibt: boolean): ReadonlyMap<string, Word> {
  return (stage.symbols[slots * 2 + (ibt ? 1 : 0)] ??= collectSymbols(stage, slots, ibt));
}

function collectSymbols(stage: Stage, slots: number, ibt: boolean): Map<string, Word> {
  const symbols = new Map(Object.entries(stage.stubs));
  for (let id = 0; id <= PROGRAMS_MAX; id++) {
    symbols.set(`prog#${id}`, stage.stubs[programStub(id, slots)]!);
    symbols.set(`&prog#${id}`, programStructAddress(id));
  }
  symbols.set(IMAGE, stage.layout.image);
  symbols.set(IMAGE_STRUCT, IMAGE_STRUCT_ADDRESS);
  symbols.set(TRACED, stage.layout.traced);
  symbols.set(ORIGINAL, plus(stage.layout.traced, siteOffset(ibt) + SITE_BYTES));
  symbols.set(CALL_DEPTH, { hi: 0, lo: PER_CPU_OFFSET });
  return symbols;
}

/** Offset of the call site in the traced function. */
export function siteOffset(ibt: boolean): number {
  return ibt ? ENDBR_BYTES : 0;
}

/** Puts an image in place and points the traced function's call site at it. */
export function installImage(stage: Stage, bytes: Uint8Array, entry: Entry, stackWords: number): void {
  const { machine, image, traced } = stage;
  forgetCode(machine, image);
  clear(image, 0, stage.installed.imageBytes);
  writeBytes(image, 0, bytes);
  stage.installed.imageBytes = bytes.length;
  const site = (entry.ibt ? 1 : 0) | (entry.jmp ? 2 : 0) | (entry.redirected ? 4 : 0) | (stackWords << 3);
  if (site === stage.installed.site) return;
  forgetCode(machine, traced);
  writeBytes(traced, 0, assembleTraced(stage, entry, stackWords));
  stage.installed.site = site;
}

/** The traced function: its call site, a jump to its body, and the handler that a live patch goes through. */
function assembleTraced(stage: Stage, entry: Entry, stackWords: number): Uint8Array {
  const body = stage.stubs[bodyStub(stackWords)]!;
  const a = new Assembler(stage.layout.traced, (name) =>
    name === IMAGE ? stage.layout.image : name === 'body' ? body : undefined,
  );
  if (entry.ibt) a.endbr64();
  if (entry.redirected) a.call('ftrace_regs_caller');
  else if (entry.jmp) a.jump(IMAGE);
  else a.call(IMAGE);
  a.jump('body');
  emitRedirect(a, body);
  return a.finish().bytes;
}

/** What is left of ftrace_regs_caller() and a live patch: the return address becomes the replacement's. */
function emitRedirect(a: Assembler, replacement: Word): void {
  a.label('ftrace_regs_caller');
  a.push(RAX);
  a.loadConstant(RAX, replacement, false);
  a.store(RSP, 8, RAX);
  a.pop(RAX);
  a.jump(IMAGE);
}

/** A recognisable value for each origin, different in every byte, so that a shifted or swapped word shows. */
export function sampleWord(origin: number): Word {
  return SAMPLES[origin]!;
}

/** Byte k of the value is its own tag with bit 6 flipped. */
const SAMPLES: readonly Word[] = Array.from({ length: GROUP_MAX + 1 }, (_, origin) => ({
  lo: lowTags(origin) ^ 0x40404040,
  hi: highTags(origin) ^ 0x40404040,
}));

function writeFixedCells(stage: Stage): void {
  writeCell(stage, CELL.RETURN, sampleWord(group.RETURN), group.RETURN);
  writeCell(stage, CELL.RETURN_HIGH, sampleWord(group.RETURN_HIGH), group.RETURN_HIGH);
  for (const reg of CALLER_SAVED) {
    const value = plus(sampleWord(group.CLOBBER), reg << 16);
    writeCell(stage, CELL.CLOBBER + 8 * reg, value, group.CLOBBER);
  }
  for (let id = 0; id <= PROGRAMS_MAX; id++) {
    setStart(stage, id, true);
    setReturn(stage, id, false);
  }
}

/** Sets a word of the data region to a value of the given origin (0: constant). */
function writeCell(stage: Stage, offset: number, value: Word, origin: number): void {
  if (origin === 0) writeWord(stage.data, offset, value);
  else writeWord(stage.data, offset, value, lowTags(origin), highTags(origin));
}

/** What enter answers for a program: a start time of its own, or zero for "missed". */
export function startValue(id: number, entered: boolean): Word {
  return entered ? plus(sampleWord(group.START), id * 0x10000) : ZERO;
}

export function setStart(stage: Stage, id: number, entered: boolean): void {
  const { region, offset } = stage.startCells[id]!;
  writeWord(region, offset, startValue(id, entered), lowTags(group.START), highTags(group.START));
}

/** What a program returns when it returns something: a value of its own. */
export function programReturnValue(id: number): Word {
  return plus(sampleWord(group.PROGRAM_RETURN), id * 0x10000);
}

export function setReturn(stage: Stage, id: number, nonzero: boolean): void {
  writeCell(
    stage,
    CELL.PROGRAM_RETURN + 8 * id,
    nonzero ? programReturnValue(id) : ZERO,
    group.PROGRAM_RETURN,
  );
}

/** The registers that arguments come in, and the origins of those that must survive. */
const ARGUMENT_REGS = [RDI, RSI, RDX, RCX, R8, R9];
const SAVED: readonly (readonly [number, number])[] = [
  [RBX, group.SAVED_RBX],
  [RBP, group.SAVED_RBP],
  [R12, group.SAVED_R12],
  [R13, group.SAVED_R13],
  [R14, group.SAVED_R14],
  [R15, group.SAVED_R15],
];

/** Registers and stack as they stand at the caller's `call`: copies of the arena, put back by `beginCall()`. */
export interface PreparedCall {
  readonly registers: Int32Array;
  readonly stack: Int32Array;
}

/** Lays out a call whose argument words are passed in the given places. */
export function prepareCall(stage: Stage, passed: readonly Place[]): PreparedCall {
  const { machine, stack } = stage;
  clear(stack);
  for (const reg of [...ARGUMENT_REGS, R10, R11]) setOrigin(machine, reg, group.PADDING);
  setOrigin(machine, RAX, group.TAIL_CALL);
  for (const [reg, origin] of SAVED) setOrigin(machine, reg, origin);
  for (let at = STACK_BYTES; at < stack.size; at += 8) writeOrigin(stack, at, group.CALLER);
  passed.forEach((place, k) => {
    const origin = group.ARGUMENT + k;
    if (place.in === 'register') setOrigin(machine, ARGUMENT_REGS[place.index]!, origin);
    else writeOrigin(stack, STACK_BYTES + 8 * place.index, origin);
  });
  writeRegister(machine, RSP, CALLER_FRAME);
  return {
    registers: machine.arena.slice(0, 16 * REG_STRIDE),
    stack: machine.arena.slice(stack.wordsAt, stack.tagsAt + stack.size / 4),
  };
}

/** Fresh registers, stack and cells; the machine stands at the caller's `call`. */
export function beginCall(stage: Stage, call: PreparedCall): void {
  const { machine, stack } = stage;
  machine.arena.set(call.registers, 0);
  machine.arena.set(call.stack, stack.wordsAt);
  machine.journalLength = 0;
  resetLog(stage);
  writeCell(stage, CELL.TASK_CONTEXT, OUTER_CONTEXT_ADDRESS, group.OUTER_CONTEXT);
  const start = stage.stubs.caller!;
  machine.rip.hi = start.hi;
  machine.rip.lo = start.lo;
}

/** Forgets the events that have been read. */
export function resetLog(stage: Stage): void {
  writeCell(stage, CELL.LOG_NEXT, LOG_START, 0);
}

const LOG_START = plus(DATA, CELL.LOG);
/** `current->bpf_ctx` before the call: some run context of an outer program. */
const OUTER_CONTEXT_ADDRESS = plus(DATA, DATA_BYTES - 64);

function setOrigin(machine: Machine, reg: number, origin: number): void {
  writeRegister(machine, reg, sampleWord(origin), lowTags(origin), highTags(origin));
}

function writeOrigin(region: Region, offset: number, origin: number): void {
  writeWord(region, offset, sampleWord(origin), lowTags(origin), highTags(origin));
}
