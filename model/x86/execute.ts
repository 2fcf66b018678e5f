import { decode } from './decode.ts';
import { FROM_LOGIC, FROM_SUB, R_HI, R_LO, setLazy, TAG, ZERO_TEST } from './flags.ts';
import { executeGeneric, mayBranch, NEXT, STOPPED } from './generic.ts';
import { ALU, FAMILY, FORM } from './instruction.ts';
import type { Machine, Stop } from './machine.ts';
import { placeOf, raise } from './machine.ts';
import type { Region } from './memory.ts';
import { BREAK, EXECUTE, offsetIn } from './memory.ts';
import { CONSTANT, CONSTANT4, wholeGroup } from './origin.ts';
import { mnemonicOf } from './listing.ts';

/** Numbers in the row of one decoded instruction; a power of two so that an index shifts into a row. */
export const FIELDS = 16;
const ROW_SHIFT = 4;

/**
 * The fields of a row. Register fields are register numbers doubled. The two enumerations stand in this file
 * because only here does the compiler see their values: the switch below has to be over literals to become a
 * jump table.
 */
export const enum Field {
  OP = 0,
  LENGTH = 1,
  FAMILY = 2,
  FORM = 3,
  SIZE = 4,
  SUB = 5,
  A = 6,
  B = 7,
  BASE = 8,
  INDEX = 9,
  SCALE = 10,
  DISP_LO = 11,
  DISP_HI = 12,
  IMM_LO = 13,
  IMM_HI = 14,
  GS = 15,
}

/**
 * Short forms of the instructions that images and stubs are made of; all else is GENERIC. From LOAD on they
 * access memory at base plus displacement.
 */
const enum Op {
  GENERIC = 0,
  NOP = 1,
  MOV_RR = 2,
  MOV_RI = 3,
  ZERO = 4,
  LEA = 5,
  ADD_RI = 6,
  SUB_RI = 7,
  TEST_SELF = 8,
  PUSH = 9,
  POP = 10,
  CALL = 11,
  JUMP = 12,
  JCC = 13,
  RETURN = 14,
  LEAVE = 15,
  LOAD = 16,
  STORE = 17,
  STORE_I = 18,
  COMPARE_ZERO = 19,
}

/** Chooses the short form of a decoded row. A short form does exactly what the generic execution does. */
export function specialise(ops: Int32Array, k: number): void {
  ops[k + Field.OP] = shortForm(ops, k);
}

function shortForm(ops: Int32Array, k: number): number {
  const family = ops[k + Field.FAMILY]!;
  const form = ops[k + Field.FORM]!;
  const size = ops[k + Field.SIZE]!;
  const sub = ops[k + Field.SUB]!;
  const simple = ops[k + Field.INDEX] === 32 && ops[k + Field.GS] === 0;
  if (family === FAMILY.NOP) return Op.NOP;
  if (family === FAMILY.MOV && form === FORM.RI && size === 4) ops[k + Field.IMM_HI] = 0;
  if (family === FAMILY.MOV && form === FORM.RI && size >= 4) return Op.MOV_RI;
  if (isZeroIdiom(ops, k)) return Op.ZERO;
  if (size !== 8) return Op.GENERIC;
  if (family === FAMILY.MOV && form === FORM.RR) return Op.MOV_RR;
  if (family === FAMILY.LEA && simple) return Op.LEA;
  if (family === FAMILY.ALU && form === FORM.RI && sub === ALU.ADD) return Op.ADD_RI;
  if (family === FAMILY.ALU && form === FORM.RI && sub === ALU.SUB) return Op.SUB_RI;
  if (family === FAMILY.TEST && form === FORM.RR && ops[k + Field.A] === ops[k + Field.B]) return Op.TEST_SELF;
  if (family === FAMILY.PUSH && form === FORM.R) return Op.PUSH;
  if (family === FAMILY.POP && form === FORM.R) return Op.POP;
  if (form === FORM.I && family === FAMILY.CALL) return Op.CALL;
  if (form === FORM.I && family === FAMILY.JUMP) return Op.JUMP;
  if (family === FAMILY.JCC) return Op.JCC;
  if (family === FAMILY.RETURN && form === FORM.NONE) return Op.RETURN;
  if (family === FAMILY.LEAVE) return Op.LEAVE;
  return simple ? memoryForm(family, form, sub, ops, k) : Op.GENERIC;
}

function memoryForm(family: number, form: number, sub: number, ops: Int32Array, k: number): number {
  if (family === FAMILY.MOV && form === FORM.RM) return Op.LOAD;
  if (family === FAMILY.MOV && form === FORM.MR) return Op.STORE;
  if (family === FAMILY.MOV && form === FORM.MI) return Op.STORE_I;
  const comparesZero = family === FAMILY.ALU && form === FORM.MI && sub === ALU.CMP && ops[k + Field.IMM_LO] === 0;
  return comparesZero ? Op.COMPARE_ZERO : Op.GENERIC;
}

function isZeroIdiom(ops: Int32Array, k: number): boolean {
  return (
    ops[k + Field.FAMILY] === FAMILY.ALU &&
    ops[k + Field.FORM] === FORM.RR &&
    ops[k + Field.SUB] === ALU.XOR &&
    ops[k + Field.SIZE]! >= 4 &&
    ops[k + Field.A] === ops[k + Field.B]
  );
}

/** An instruction that the machine does not model; `message` names its bytes, mnemonic and place. */
export class UnsupportedInstruction extends Error {
  override name = 'UnsupportedInstruction';
}

/** Decodes the instruction at an offset of a region and returns its index there. */
function decodeAt(m: Machine, region: Region, offset: number): number {
  const { code } = region;
  const index = code.count;
  if ((index + 1) * FIELDS > code.ops.length) {
    const larger = new Int32Array(code.ops.length * 2);
    larger.set(code.ops);
    code.ops = larger;
  }
  const lo = (region.base.lo + offset) | 0;
  const length = decode(region.bytes, offset, code.ops, index * FIELDS, region.base.hi, lo);
  if (length === 0) throw unsupported(m, region, offset);
  code.count = index + 1;
  if (code.opAt[offset] === BREAK) code.hidden.set(offset, index);
  else code.opAt[offset] = index;
  return index;
}

function unsupported(m: Machine, region: Region, offset: number): UnsupportedInstruction {
  const { bytes, mnemonic } = mnemonicOf(region.bytes.subarray(offset, offset + 15));
  const lo = (region.base.lo + offset) | 0;
  const place = placeOf(m, { hi: region.base.hi, lo });
  return new UnsupportedInstruction(`unsupported instruction ${bytes} (${mnemonic}) at ${place}`);
}

/** The executable region that an address lies in, or undefined with `m.stop` set. */
function regionToExecute(m: Machine, hi: number, lo: number): Region | undefined {
  for (const region of m.regions) {
    if (offsetIn(region, hi, lo) >= region.size) continue;
    if ((region.permission & EXECUTE) !== 0) return region;
    raise(m, 'not executable', 'execute', { hi, lo }, 1);
    return undefined;
  }
  raise(m, 'unmapped', 'execute', { hi, lo }, 1);
  return undefined;
}

/**
 * Runs from `m.rip` until a breakpoint, a fault, a forbidden dependence, or `budget` instructions.
 *
 * The instruction that the run starts at is executed even when a breakpoint stands on it. One function and one
 * switch on purpose: it stays optimised whatever it is given to execute. Registers, flags and memory are typed
 * arrays that the generic execution shares; the loop keeps only the position to itself.
 */
export function run(m: Machine, budget: number): Stop {
  const { regs, tags, flags, stack, data } = m;
  const stackLo = stack.base.lo;
  const stackHi = stack.base.hi;
  const stackLast = stack.size - 8;
  const dataLo = data.base.lo;
  const dataHi = data.base.hi;
  const dataLast = data.size - 8;
  const limit = m.steps + budget;
  let steps = m.steps;
  let ripHi = m.rip.hi;
  let ripLo = m.rip.lo;
  let first = true;
  m.stop = undefined;

  enterRegion: for (;;) {
    const region = regionToExecute(m, ripHi, ripLo);
    if (region === undefined) break;
    const baseHi = region.base.hi;
    const baseLo = region.base.lo;
    const { size } = region;
    const { opAt } = region.code;
    const journalling = region === m.journalled;
    let pc = (ripLo - baseLo) >>> 0;

    for (;;) {
      let index = opAt[pc]!;
      if (!(index > 0)) {
        m.rip.hi = baseHi;
        m.rip.lo = (baseLo + pc) | 0;
        if (pc >= size) {
          m.steps = steps;
          raise(m, 'unmapped', 'execute', { ...m.rip }, 1);
          return m.stop!;
        }
        if (index === BREAK && !first) {
          m.steps = steps;
          return { kind: 'breakpoint', at: { ...m.rip } };
        }
        const hidden = index === BREAK ? region.code.hidden.get(pc) : undefined;
        index = hidden ?? decodeAt(m, region, pc);
      }
      first = false;
      const { ops } = region.code;
      const k = index << ROW_SHIFT;
      const start = pc;
      if (steps >= limit) {
        m.steps = steps;
        m.rip.hi = baseHi;
        m.rip.lo = (baseLo + pc) | 0;
        return { kind: 'budget', at: { ...m.rip } };
      }
      steps++;
      pc += ops[k + Field.LENGTH]!;
      const op = ops[k]!;

      if (op >= Op.LOAD) {
        const b = ops[k + Field.BASE]!;
        const sum = (regs[b]! >>> 0) + (ops[k + Field.DISP_LO]! >>> 0);
        const lo = sum | 0;
        const hi = (regs[b + 1]! + ops[k + Field.DISP_HI]! + (sum > 4294967295 ? 1 : 0)) | 0;
        let words = stack.words;
        let wordTags = stack.tagWords;
        let at = (lo - stackLo) >>> 0;
        let reachable = (lo & 7) === 0 && tags[b] === CONSTANT4 && tags[b + 1] === CONSTANT4;
        if (hi !== stackHi || at > stackLast) {
          at = (lo - dataLo) >>> 0;
          words = data.words;
          wordTags = data.tagWords;
          reachable = reachable && hi === dataHi && at <= dataLast;
        } else if (at < (regs[8]! - stackLo) >>> 0) reachable = false;
        if (reachable) {
          const w = at >>> 2;
          switch (op) {
            case Op.LOAD: {
              const a = ops[k + Field.A]!;
              regs[a] = words[w]!;
              regs[a + 1] = words[w + 1]!;
              tags[a] = wordTags[w]!;
              tags[a + 1] = wordTags[w + 1]!;
              continue;
            }
            case Op.STORE: {
              const a = ops[k + Field.B]!;
              words[w] = regs[a]!;
              words[w + 1] = regs[a + 1]!;
              wordTags[w] = tags[a]!;
              wordTags[w + 1] = tags[a + 1]!;
              break;
            }
            case Op.STORE_I:
              words[w] = ops[k + Field.IMM_LO]!;
              words[w + 1] = ops[k + Field.IMM_HI]!;
              wordTags[w] = wordTags[w + 1] = CONSTANT4;
              break;
            default: {
              const constant = wordTags[w] === CONSTANT4 && wordTags[w + 1] === CONSTANT4;
              const group = constant ? 0 : wholeGroup(wordTags[w]!, wordTags[w + 1]!);
              if (constant || group > 0) {
                setLazy(flags, FROM_SUB, 8, words[w]!, words[w + 1]!, 0, 0, words[w]!, words[w + 1]!);
                flags[TAG] = constant ? CONSTANT : ZERO_TEST | group;
                continue;
              }
              reachable = false;
            }
          }
          if (reachable) {
            if (journalling) {
              const j = m.journalLength;
              m.journalLength = j + 4;
              if (j < 4096) {
                m.journal[j] = start;
                m.journal[j + 1] = lo;
                m.journal[j + 2] = regs[8]!;
                m.journal[j + 3] = 8;
              }
            }
            continue;
          }
        }
      }

      switch (op) {
        case Op.NOP:
          continue;
        case Op.MOV_RR: {
          const a = ops[k + Field.A]!;
          const b = ops[k + Field.B]!;
          regs[a] = regs[b]!;
          regs[a + 1] = regs[b + 1]!;
          tags[a] = tags[b]!;
          tags[a + 1] = tags[b + 1]!;
          continue;
        }
        case Op.MOV_RI: {
          const a = ops[k + Field.A]!;
          regs[a] = ops[k + Field.IMM_LO]!;
          regs[a + 1] = ops[k + Field.IMM_HI]!;
          tags[a] = tags[a + 1] = CONSTANT4;
          continue;
        }
        case Op.ZERO: {
          const a = ops[k + Field.A]!;
          regs[a] = regs[a + 1] = 0;
          tags[a] = tags[a + 1] = CONSTANT4;
          setLazy(flags, FROM_LOGIC, 8, 0, 0, 0, 0, 0, 0);
          continue;
        }
        case Op.LEA: {
          const a = ops[k + Field.A]!;
          const b = ops[k + Field.BASE]!;
          if (tags[b] !== CONSTANT4 || tags[b + 1] !== CONSTANT4) break;
          const sum = (regs[b]! >>> 0) + (ops[k + Field.DISP_LO]! >>> 0);
          regs[a + 1] = regs[b + 1]! + ops[k + Field.DISP_HI]! + (sum > 4294967295 ? 1 : 0);
          regs[a] = sum;
          tags[a] = tags[a + 1] = CONSTANT4;
          continue;
        }
        case Op.ADD_RI:
        case Op.SUB_RI: {
          const a = ops[k + Field.A]!;
          if (tags[a] !== CONSTANT4 || tags[a + 1] !== CONSTANT4 || a !== 8) break;
          const by = op === Op.ADD_RI ? ops[k + Field.IMM_LO]! : -ops[k + Field.IMM_LO]!;
          const lo = regs[8]!;
          const hi = regs[9]!;
          const sum = (lo >>> 0) + by;
          regs[8] = sum;
          regs[9] = hi + (sum < 0 ? -1 : sum > 4294967295 ? 1 : 0);
          const kind = op === Op.ADD_RI ? 1 : FROM_SUB;
          setLazy(flags, kind, 8, lo, hi, ops[k + Field.IMM_LO]!, ops[k + Field.IMM_HI]!, regs[8]!, regs[9]!);
          continue;
        }
        case Op.TEST_SELF: {
          const a = ops[k + Field.A]!;
          const constant = tags[a] === CONSTANT4 && tags[a + 1] === CONSTANT4;
          const group = constant ? 0 : wholeGroup(tags[a]!, tags[a + 1]!);
          if (!constant && group === 0) break;
          setLazy(flags, FROM_LOGIC, 8, 0, 0, 0, 0, regs[a]!, regs[a + 1]!);
          flags[TAG] = constant ? CONSTANT : ZERO_TEST | group;
          continue;
        }
        case Op.PUSH: {
          const at = (regs[8]! - 8 - stackLo) >>> 0;
          if (at > stackLast || (at & 7) !== 0 || regs[9] !== stackHi || tags[8] !== CONSTANT4) break;
          const a = ops[k + Field.A]!;
          const w = at >>> 2;
          stack.words[w] = regs[a]!;
          stack.words[w + 1] = regs[a + 1]!;
          stack.tagWords[w] = tags[a]!;
          stack.tagWords[w + 1] = tags[a + 1]!;
          regs[8] = regs[8]! - 8;
          continue;
        }
        case Op.LEAVE:
        case Op.POP: {
          const from = op === Op.POP ? 8 : 10;
          const at = (regs[from]! - stackLo) >>> 0;
          if (at >= stackLast || (at & 7) !== 0 || regs[from + 1] !== stackHi || tags[from] !== CONSTANT4) break;
          if (tags[from + 1] !== CONSTANT4) break;
          const a = op === Op.POP ? ops[k + Field.A]! : 10;
          const w = at >>> 2;
          regs[8] = regs[from]! + 8;
          regs[9] = stackHi;
          tags[8] = tags[9] = CONSTANT4;
          regs[a] = stack.words[w]!;
          regs[a + 1] = stack.words[w + 1]!;
          tags[a] = stack.tagWords[w]!;
          tags[a + 1] = stack.tagWords[w + 1]!;
          continue;
        }
        case Op.CALL: {
          const at = (regs[8]! - 8 - stackLo) >>> 0;
          if (at > stackLast || (at & 7) !== 0 || regs[9] !== stackHi || tags[8] !== CONSTANT4) break;
          const w = at >>> 2;
          stack.words[w] = baseLo + pc;
          stack.words[w + 1] = baseHi;
          stack.tagWords[w] = stack.tagWords[w + 1] = CONSTANT4;
          regs[8] = regs[8]! - 8;
          ripLo = ops[k + Field.IMM_LO]!;
          ripHi = ops[k + Field.IMM_HI]!;
          const target = (ripLo - baseLo) >>> 0;
          if (ripHi !== baseHi || target >= size) continue enterRegion;
          pc = target;
          continue;
        }
        case Op.JUMP: {
          ripLo = ops[k + Field.IMM_LO]!;
          ripHi = ops[k + Field.IMM_HI]!;
          const target = (ripLo - baseLo) >>> 0;
          if (ripHi !== baseHi || target >= size) continue enterRegion;
          pc = target;
          continue;
        }
        case Op.JCC: {
          const condition = ops[k + Field.SUB]!;
          if ((condition & 14) !== 4 || flags[0] === 0) break;
          if (flags[TAG] !== CONSTANT) {
            m.rip.hi = baseHi;
            m.rip.lo = (baseLo + start) | 0;
            if (!mayBranch(m, condition)) break enterRegion;
          }
          if (((flags[R_LO]! | flags[R_HI]!) === 0) !== (condition === 4)) continue;
          ripLo = ops[k + Field.IMM_LO]!;
          ripHi = ops[k + Field.IMM_HI]!;
          const target = (ripLo - baseLo) >>> 0;
          if (ripHi !== baseHi || target >= size) continue enterRegion;
          pc = target;
          continue;
        }
        case Op.RETURN: {
          const at = (regs[8]! - stackLo) >>> 0;
          if (at > stackLast || (at & 7) !== 0 || regs[9] !== stackHi || tags[8] !== CONSTANT4) break;
          const w = at >>> 2;
          if (stack.tagWords[w] !== CONSTANT4 || stack.tagWords[w + 1] !== CONSTANT4) break;
          ripLo = stack.words[w]!;
          ripHi = stack.words[w + 1]!;
          regs[8] = regs[8]! + 8;
          const target = (ripLo - baseLo) >>> 0;
          if (ripHi !== baseHi || target >= size) continue enterRegion;
          pc = target;
          continue;
        }
        default:
      }

      m.rip.hi = baseHi;
      m.rip.lo = (baseLo + start) | 0;
      const outcome = executeGeneric(m, ops, k, (baseLo + pc) | 0);
      if (outcome === NEXT) continue;
      if (outcome === STOPPED) break enterRegion;
      ripHi = m.rip.hi;
      ripLo = m.rip.lo;
      if (ripHi !== baseHi || (ripLo - baseLo) >>> 0 >= size) continue enterRegion;
      pc = (ripLo - baseLo) >>> 0;
    }
  }
  m.steps = steps;
  return m.stop!;
}
