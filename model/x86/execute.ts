import { cell } from './cell.ts';
import { mayBranch } from './generic/branch.ts';
import { executeSlowly, followBranch, followNext, followReturn, rowFor, standAt } from './link.ts';
import type { Machine, Stop } from './machine.ts';
import { journalStore } from './machine.ts';
import type { Region } from './memory.ts';
import { EXECUTE, READ, WRITE } from './memory.ts';
import { wholeGroup } from './origin.ts';
import { offsetOfPlace } from './row.ts';

/*
 * This file is long on purpose: the loop below is one function.
 *
 * The numbers of rows, flags and the arena again, as enumerations of this file: only those does every
 * compiler put in as literals, and the switch below has to be over literals to become a jump table. A test
 * compares them with `row.ts`, `flags.ts` and `machine.ts`.
 */
export const enum Row {
  NEXT = 1,
  A = 2,
  B = 3,
  X = 4,
  Y = 5,
  TARGET = 6,
  PLACE = 7,
}

/**
 * The short forms, 0 being GENERIC: the switch of `run()` has no case for it and takes the default.
 *
 * Each form is a subset of one instruction: eight-byte operands, no segment, no index, and for memory only
 * the stack or the data region. A subset can be checked against the generic execution on random states
 * (`trial.ts`), and every failing condition hands the whole instruction over, so that a form never has to be
 * half right.
 */
export const enum Op {
  LOAD = 1,
  STORE = 2,
  STORE_NOTED = 3,
  STORE_I = 4,
  MOV_RR = 5,
  MOV_RI = 6,
  LEA = 7,
  ADJUST = 8,
  ZERO = 9,
  TEST_SELF = 10,
  CALL = 11,
  RETURN = 12,
  JZ = 13,
  JUMP = 14,
  PUSH = 15,
  POP = 16,
  LEAVE = 17,
  NOP = 18,
  BREAK = 19,
}

/** Places in the arena: two registers, the flags, the cache of return addresses. */
export const enum At {
  RSP = 16,
  RBP = 20,
  RETURNS = 80,
}

/**
 * The lazy flags of `flags.ts`, at their indices in the arena. `TAG` says where the flags came from; the fast
 * branch needs it to be constant.
 */
export const enum Flags {
  KIND = 68,
  SIZE = 69,
  A_LO = 70,
  A_HI = 71,
  B_LO = 72,
  B_HI = 73,
  R_LO = 74,
  R_HI = 75,
  TAG = 77,
  FROM_BITS = 0,
  FROM_ADD = 1,
  FROM_SUB = 2,
  FROM_LOGIC = 3,
}

/** Four CONSTANT tags in one int32, one of them, and the mark of a test for zero. */
export const enum Tags {
  CONSTANT = 0x01010101,
  ONE = 1,
  ZERO_TEST = 0x100,
}

/** Ranges: with them the compiler knows that an index plus a small number does not overflow. */
export const enum Mask {
  INDEX = 0xffffff,
  REGISTER = 0x7f,
  RETURNS = 63,
}

/**
 * Runs from `m.rip` until a breakpoint, a fault, a forbidden dependence, or `budget` instructions.
 *
 * The instruction that the run starts at is executed even when it has a breakpoint. One function and one
 * switch on purpose: it stays optimised whatever it is given to execute. A short form that meets anything out of
 * the ordinary (another region, an odd address, an operand that is not constant) leaves the instruction to the
 * generic execution, which shares registers, flags and memory with the loop.
 */
export function run(m: Machine, budget: number): Stop {
  // Everything about the two fast regions becomes a local before the loop: the compiler keeps locals in
  // registers, and a field of an object has to be read again after each store. No region can move or change
  // its permission while a run is under way.
  const M = m.arena;
  const { stack, data } = m;
  const stackLo = stack.base.lo | 0;
  const stackHi = stack.base.hi | 0;
  const stackLast = lastReadable(stack) | 0;
  const stackWritable = lastWritable(stack) | 0;
  const stackAt = stack.wordsAt | 0;
  // A tag word is at a fixed distance from the word that it describes.
  const stackTags = (stack.tagsAt - stack.wordsAt) | 0;
  const dataLo = data.base.lo | 0;
  const dataHi = data.base.hi | 0;
  const dataLast = lastReadable(data) | 0;
  const dataWritable = lastWritable(data) | 0;
  const dataAt = data.wordsAt | 0;
  const dataTags = (data.tagsAt - data.wordsAt) | 0;
  let left = budget | 0;
  m.stop = undefined;
  // `k` is the arena index of the row to execute; 0 ends the run with the reason in `m.stop`. The instruction
  // pointer is not kept up to date: a row holds its own place, and `standAt()` writes `m.rip` when a fault, a
  // stop or the generic execution needs it.
  let k = rowFor(m, m.rip.hi, m.rip.lo) & Mask.INDEX;
  // A breakpoint replaces the short form of its row, not the bytes. The details are those of the instruction,
  // so that the generic execution steps over the breakpoint without removing it.
  if (k > 0 && left > 0 && M[k] === Op.BREAK) {
    left = (left - 1) | 0;
    k = executeSlowly(m, k) & Mask.INDEX;
  }

  while (k > 0) {
    if (left <= 0) {
      standAt(m, k);
      m.stop = { kind: 'budget', at: { ...m.rip } };
      break;
    }
    // Counted before it is executed, like a retired instruction that may still fault; `m.steps` is updated
    // once, after the loop.
    left = (left - 1) | 0;
    let next = cell(M, k + Row.NEXT) | 0;
    const a = cell(M, k + Row.A) & Mask.REGISTER;
    const b = cell(M, k + Row.B) & Mask.REGISTER;
    // The masks change no valid value: register fields end at 17 * 4, and a displacement of 32 bits is
    // sign-extended as the CPU does.
    const x = cell(M, k + Row.X) | 0;
    // `break ordinary` is the exit of an instruction that is done; a plain `break` leaves the switch and
    // executes it generically. A case may give up only before its first write: the generic execution starts
    // from unchanged registers.
    ordinary: {
      switch (cell(M, k) | 0) {
        // Eight bytes at base + disp32. The carry into the upper half follows from the unsigned comparison of
        // the sum with one summand. An address that is not a multiple of 8 is legal on x86, but its tags lie
        // in three words: the generic execution gathers bytes.
        case Op.LOAD: {
          const lo = (cell(M, b) + x) | 0;
          const hi = (cell(M, b + 1) + (x >> 31) + (lo >>> 0 < x >>> 0 ? 1 : 0)) | 0;
          if ((lo & 7) !== 0 || M[b + 2] !== Tags.CONSTANT || M[b + 3] !== Tags.CONSTANT) break;
          let offset = (lo - stackLo) | 0;
          let position = 0;
          let tags = 0;
          // `offset <= stackLast` keeps all eight bytes inside. The upper halves decide first: a region lies
          // within one 4 GiB block. A difference of low halves that wraps is then negative or beyond the
          // region.
          if (hi === stackHi && offset >= 0 && offset <= stackLast) {
            // Below `rsp`: kernel code has no red zone, an interrupt may write there at any time. The generic
            // execution raises the fault.
            if (offset < ((cell(M, At.RSP) - stackLo) | 0)) break;
            position = (stackAt + (offset >> 2)) & Mask.INDEX;
            tags = (position + stackTags) & Mask.INDEX;
          } else {
            offset = (lo - dataLo) | 0;
            if (hi !== dataHi || offset < 0 || offset > dataLast) break;
            position = (dataAt + (offset >> 2)) & Mask.INDEX;
            tags = (position + dataTags) & Mask.INDEX;
          }
          M[a] = cell(M, position);
          M[a + 1] = cell(M, position + 1);
          M[a + 2] = cell(M, tags);
          M[a + 3] = cell(M, tags + 1);
          break ordinary;
        }
        // The three stores differ in their source and in the journal. Neither region holds code
        // (`lastWritable()`), so that a store here never invalidates a row. A fault of a store changes no
        // register and no memory.
        case Op.STORE:
        case Op.STORE_NOTED:
        case Op.STORE_I: {
          const lo = (cell(M, b) + x) | 0;
          const hi = (cell(M, b + 1) + (x >> 31) + (lo >>> 0 < x >>> 0 ? 1 : 0)) | 0;
          if ((lo & 7) !== 0 || M[b + 2] !== Tags.CONSTANT || M[b + 3] !== Tags.CONSTANT) break;
          let offset = (lo - stackLo) | 0;
          let position = 0;
          let tags = 0;
          if (hi === stackHi && offset >= 0 && offset <= stackWritable) {
            if (offset < ((cell(M, At.RSP) - stackLo) | 0)) break;
            position = (stackAt + (offset >> 2)) & Mask.INDEX;
            tags = (position + stackTags) & Mask.INDEX;
          } else {
            offset = (lo - dataLo) | 0;
            if (hi !== dataHi || offset < 0 || offset > dataWritable) break;
            position = (dataAt + (offset >> 2)) & Mask.INDEX;
            tags = (position + dataTags) & Mask.INDEX;
          }
          // `movq $imm32`: the immediate is sign-extended to eight bytes.
          if (M[k] === Op.STORE_I) {
            M[position] = cell(M, k + Row.Y);
            M[position + 1] = cell(M, k + Row.Y) >> 31;
            M[tags] = Tags.CONSTANT;
            M[tags + 1] = Tags.CONSTANT;
            break ordinary;
          }
          M[position] = cell(M, a);
          M[position + 1] = cell(M, a + 1);
          M[tags] = cell(M, a + 2);
          M[tags + 1] = cell(M, a + 3);
          if (M[k] === Op.STORE_NOTED) journalStore(m, offsetOfPlace(cell(M, k + Row.PLACE)), hi, lo, 8);
          break ordinary;
        }
        // Moves copy the tags with the bytes and touch no flag.
        case Op.MOV_RR:
          M[a] = cell(M, b);
          M[a + 1] = cell(M, b + 1);
          M[a + 2] = cell(M, b + 2);
          M[a + 3] = cell(M, b + 3);
          break ordinary;
        // All three encodings: `mov $imm32, %r32`, which clears bits 63:32 (the row has `Y` = 0), `movq
        // $imm32`, sign-extended, and `movabs` with eight bytes.
        case Op.MOV_RI:
          M[a] = x;
          M[a + 1] = cell(M, k + Row.Y);
          M[a + 2] = Tags.CONSTANT;
          M[a + 3] = Tags.CONSTANT;
          break ordinary;
        // Computes only, so that neither alignment nor a mapping matters, and flags stay. A base that is not
        // constant needs tags for the result, which the generic execution makes.
        case Op.LEA: {
          if (M[b + 2] !== Tags.CONSTANT || M[b + 3] !== Tags.CONSTANT) break;
          const lo = (cell(M, b) + x) | 0;
          M[a + 1] = (cell(M, b + 1) + (x >> 31) + (lo >>> 0 < x >>> 0 ? 1 : 0)) | 0;
          M[a] = lo;
          M[a + 2] = Tags.CONSTANT;
          M[a + 3] = Tags.CONSTANT;
          break ordinary;
        }
        // `add`/`sub $imm, %rsp`, which do set all six flags. `X` is what is added and `Y` the operand of the
        // instruction: they are equal for `add` and each other's negative for `sub`, except for 0 and -2^31,
        // which have no short form. For any other value the two words decide which instruction it was.
        case Op.ADJUST: {
          if (M[At.RSP + 2] !== Tags.CONSTANT || M[At.RSP + 3] !== Tags.CONSTANT) break;
          const before = cell(M, At.RSP) | 0;
          const by = cell(M, k + Row.Y) | 0;
          const lo = (before + x) | 0;
          M[Flags.KIND] = by === x ? Flags.FROM_ADD : Flags.FROM_SUB;
          M[Flags.SIZE] = 8;
          M[Flags.A_LO] = before;
          M[Flags.A_HI] = cell(M, At.RSP + 1);
          M[Flags.B_LO] = by;
          M[Flags.B_HI] = by >> 31;
          M[At.RSP] = lo;
          M[At.RSP + 1] = (cell(M, At.RSP + 1) + (x >> 31) + (lo >>> 0 < x >>> 0 ? 1 : 0)) | 0;
          M[Flags.R_LO] = lo;
          M[Flags.R_HI] = cell(M, At.RSP + 1);
          M[Flags.TAG] = Tags.ONE;
          break ordinary;
        }
        // `xor r32, r32`: ZF and PF set, CF, OF and SF clear, AF undefined (zero here). The operands' slots
        // of the lazy flags stay as they are; a logical result is read from `R` alone. The idiom breaks the
        // dependence on the old value: its tags do not matter.
        case Op.ZERO:
          M[a] = 0;
          M[a + 1] = 0;
          M[a + 2] = Tags.CONSTANT;
          M[a + 3] = Tags.CONSTANT;
          M[Flags.KIND] = Flags.FROM_LOGIC;
          M[Flags.SIZE] = 8;
          M[Flags.R_LO] = 0;
          M[Flags.R_HI] = 0;
          M[Flags.TAG] = Tags.ONE;
          break ordinary;
        // `test r64, r64`: ZF and SF of the register, CF and OF clear. A whole value of one group gets the
        // mark of a test for zero, as in `alu.ts`; a register with bytes of several origins needs
        // `firstVariable()`.
        case Op.TEST_SELF: {
          const constant = M[a + 2] === Tags.CONSTANT && M[a + 3] === Tags.CONSTANT;
          const group = constant ? 0 : wholeGroup(cell(M, a + 2), cell(M, a + 3));
          if (!constant && group === 0) break;
          M[Flags.KIND] = Flags.FROM_LOGIC;
          M[Flags.SIZE] = 8;
          M[Flags.R_LO] = cell(M, a);
          M[Flags.R_HI] = cell(M, a + 1);
          M[Flags.TAG] = constant ? Tags.ONE : Tags.ZERO_TEST | group;
          break ordinary;
        }
        // Pushes the return address, which the row holds (`X` low, `Y` high half), then jumps. An aligned
        // `rsp` within the writable stack cannot fault; the first eight bytes above `stackWritable` belong to
        // the caller and may only be read.
        case Op.CALL: {
          const offset = (cell(M, At.RSP) - 8 - stackLo) | 0;
          if (offset < 0 || offset > stackWritable || (offset & 7) !== 0 || M[At.RSP + 1] !== stackHi) break;
          if (M[At.RSP + 2] !== Tags.CONSTANT || M[At.RSP + 3] !== Tags.CONSTANT) break;
          const position = (stackAt + (offset >> 2)) & Mask.INDEX;
          const tags = (position + stackTags) & Mask.INDEX;
          M[position] = x;
          M[position + 1] = cell(M, k + Row.Y);
          M[tags] = Tags.CONSTANT;
          M[tags + 1] = Tags.CONSTANT;
          M[At.RSP] = (cell(M, At.RSP) - 8) | 0;
          // The link to the target row; 0 means not linked yet, or cut because the target's region was
          // forgotten.
          next = cell(M, k + Row.TARGET);
          if (next === 0) next = followBranch(m, k);
          break ordinary;
        }
        // The target comes from memory, so that a row has no link for it: a direct-mapped cache of 64 return
        // addresses by their low bits takes its place. An entry is valid when both halves match;
        // `forgetCode()` clears all of them. Code may return anywhere, also to an address that no call
        // pushed, as return_to_handler does.
        case Op.RETURN: {
          const offset = (cell(M, At.RSP) - stackLo) | 0;
          if (offset < 0 || offset > stackLast || (offset & 7) !== 0 || M[At.RSP + 1] !== stackHi) break;
          const position = (stackAt + (offset >> 2)) & Mask.INDEX;
          const tags = (position + stackTags) & Mask.INDEX;
          if (M[tags] !== Tags.CONSTANT || M[tags + 1] !== Tags.CONSTANT) break;
          if (M[At.RSP + 2] !== Tags.CONSTANT || M[At.RSP + 3] !== Tags.CONSTANT) break;
          M[At.RSP] = (cell(M, At.RSP) + 8) | 0;
          const lo = cell(M, position);
          const hi = cell(M, position + 1);
          const cache = At.RETURNS + (lo & Mask.RETURNS) * 4;
          next = cell(M, cache) === lo && M[cache + 1] === hi ? cell(M, cache + 2) : 0;
          if (next === 0) next = followReturn(m, k, hi, lo);
          break ordinary;
        }
        // ZF from the lazy result: it is zero-extended from its size, so that both halves are zero exactly
        // when the operand is. The flags of shifts and multiplications are bits (`FROM_BITS`) and take the
        // slow way.
        case Op.JZ: {
          const condition = cell(M, k + Row.A) | 0;
          if (M[Flags.KIND] === Flags.FROM_BITS) break;
          // Only here can a run stop at a fast branch: `mayBranch()` has set `m.stop` when it answers false.
          if (M[Flags.TAG] !== Tags.ONE) {
            standAt(m, k);
            if (!mayBranch(m, condition)) {
              next = 0;
              break ordinary;
            }
          }
          if (((cell(M, Flags.R_LO) | cell(M, Flags.R_HI)) === 0) !== (condition === 4)) break ordinary;
          next = cell(M, k + Row.TARGET);
          if (next === 0) next = followBranch(m, k);
          break ordinary;
        }
        case Op.JUMP:
          next = cell(M, k + Row.TARGET);
          if (next === 0) next = followBranch(m, k);
          break ordinary;
        // `push %rsp` stores the value from before the push: the register is read before it is lowered.
        // Pushes are not journalled, nor are return addresses.
        case Op.PUSH: {
          const offset = (cell(M, At.RSP) - 8 - stackLo) | 0;
          if (offset < 0 || offset > stackWritable || (offset & 7) !== 0 || M[At.RSP + 1] !== stackHi) break;
          if (M[At.RSP + 2] !== Tags.CONSTANT || M[At.RSP + 3] !== Tags.CONSTANT) break;
          const position = (stackAt + (offset >> 2)) & Mask.INDEX;
          const tags = (position + stackTags) & Mask.INDEX;
          M[position] = cell(M, a);
          M[position + 1] = cell(M, a + 1);
          M[tags] = cell(M, a + 2);
          M[tags + 1] = cell(M, a + 3);
          M[At.RSP] = (cell(M, At.RSP) - 8) | 0;
          break ordinary;
        }
        // `leave` is `mov %rbp, %rsp; pop %rbp`, so that the only difference is the register that gives the
        // address. `pop %rsp` loads the popped value: it is written after the raise. The last word of the
        // region takes the slow way.
        case Op.POP:
        case Op.LEAVE: {
          const from = M[k] === Op.POP ? At.RSP : At.RBP;
          const offset = (cell(M, from) - stackLo) | 0;
          if (offset < 0 || offset >= stackLast || (offset & 7) !== 0 || M[from + 1] !== stackHi) break;
          if (M[from + 2] !== Tags.CONSTANT || M[from + 3] !== Tags.CONSTANT) break;
          const position = (stackAt + (offset >> 2)) & Mask.INDEX;
          const tags = (position + stackTags) & Mask.INDEX;
          M[At.RSP] = (cell(M, from) + 8) | 0;
          M[At.RSP + 1] = stackHi;
          M[At.RSP + 2] = Tags.CONSTANT;
          M[At.RSP + 3] = Tags.CONSTANT;
          const into = M[k] === Op.POP ? a : At.RBP;
          M[into] = cell(M, position);
          M[into + 1] = cell(M, position + 1);
          M[into + 2] = cell(M, tags);
          M[into + 3] = cell(M, tags + 1);
          break ordinary;
        }
        case Op.NOP:
          break ordinary;
        // The instruction is not executed and does not count. The row stays, and a run that starts here
        // executes it.
        case Op.BREAK:
          left = (left + 1) | 0;
          standAt(m, k);
          m.stop = { kind: 'breakpoint', at: { ...m.rip } };
          next = 0;
          break ordinary;
        default:
      }
      k = executeSlowly(m, k) & Mask.INDEX;
      continue;
    }
    // A row that is not linked yet: the last one that was decoded ahead, or one whose successor was cut.
    // `m.stop` is set when the branch has failed.
    if (next === 0 && m.stop === undefined) next = followNext(m, k);
    k = next & Mask.INDEX;
  }
  m.steps += (budget | 0) - left;
  return m.stop!;
}

/** The highest offset at which a short form may read eight bytes; a negative one leaves all to the generic execution. */
function lastReadable({ permission, size }: Region): number {
  return (permission & READ) !== 0 ? size - 8 : -8;
}

/** The same for writing. Where code lies, the generic execution writes: it forgets what was decoded. */
function lastWritable({ permission, writableBytes }: Region): number {
  return (permission & (WRITE | EXECUTE)) === WRITE ? writableBytes - 8 : -8;
}
