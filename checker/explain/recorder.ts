import type { NextInstruction } from '../../model/call/next-instruction.ts';
import { nextInstruction, regionAt } from '../../model/call/next-instruction.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { groupName } from '../../model/trampoline/stage/groups.ts';
import { cell } from '../../model/x86/cell.ts';
import { FAMILY } from '../../model/x86/instruction.ts';
import type { Machine, Stop } from '../../model/x86/machine.ts';
import { readRegister } from '../../model/x86/machine.ts';
import { offsetIn, readWord } from '../../model/x86/memory.ts';
import { GROUP_MAX, highTags, lowTags, UNDEFINED, wholeGroup } from '../../model/x86/origin.ts';
import { RSP } from '../../model/x86/register.ts';
import { run } from '../../model/x86/run.ts';
import type { Word } from '../../model/x86/word.ts';
import { plus } from '../../model/x86/word.ts';
import type { Arrival, ExplainedMoment, KeptReturn, StackWord } from './moment.ts';

/** The origin of words that finished calls left below the stack pointer; no group of a stage. */
const LEFT_BEHIND = GROUP_MAX;

/** A recorder's knowledge of the code that is run. */
export interface Surroundings {
  /** `f1+0x9`; undefined where no code is. */
  readonly codeAt: (address: Word) => string | undefined;
  /** Whether a function in C starts there, whose instructions are not followed. */
  readonly isC: (address: Word) => boolean;
  /** Offset in bytes of the end of the caller's stack arguments in the stack. */
  readonly stackEnd: number;
  readonly kept: () => readonly KeptReturn[];
}

/** Executes instructions, and records every transfer of control to another piece of code. */
export class Recorder {
  readonly moments: ExplainedMoment[] = [];
  private told = 0;

  constructor(
    private readonly machine: Machine,
    private readonly around: Surroundings,
  ) {}

  /** One instruction. A faulting one transfers nothing. */
  step(): Stop {
    const { machine } = this;
    const next = nextInstruction(machine);
    const before = readRegister(machine, RSP);
    const stop = run(machine, 1);
    this.leaveBehind(before);
    const how = next === undefined || stop.kind === 'fault' ? undefined : this.arrival(next);
    if (how !== undefined) this.note(how, next!);
    return stop;
  }

  /** Events of clients are recorded with the transfer at which they are known. */
  see(events: readonly CallEvent[]): void {
    const fresh = events.slice(this.told);
    this.told = events.length;
    const last = this.moments.at(-1);
    const now = this.moment('done in C', { ...this.machine.rip }, undefined, fresh);
    if (last === undefined || fresh.length > 0 || isChanged(last, now)) this.moments.push(now);
  }

  /** Words below the stack pointer are free: a frame that finds one again has not written it. */
  private leaveBehind(before: Word): void {
    const { stack } = this.machine;
    const from = offsetIn(stack, before.hi, before.lo);
    const rsp = readRegister(this.machine, RSP);
    const to = Math.min(offsetIn(stack, rsp.hi, rsp.lo), stack.size);
    for (let index = from & ~7; index < to; index += 8) {
      if (stack.tagWords[index >> 2] === 0) continue;
      stack.tagWords[index >> 2] = lowTags(LEFT_BEHIND);
      stack.tagWords[(index >> 2) + 1] = highTags(LEFT_BEHIND);
    }
  }

  /** A jump within one piece of code, and the body of a function in C, are not recorded. */
  private arrival({ family, region, at: address }: NextInstruction): Arrival | undefined {
    const { machine, around } = this;
    const inC = around.isC(machine.rip);
    if (family === FAMILY.CALL) return 'call';
    if (family === FAMILY.RETURN) return around.isC(address) && !inC ? undefined : 'return';
    return regionAt(machine.regions, machine.rip) === region ? undefined : 'jump';
  }

  private note(how: Arrival, { at: address, behind }: NextInstruction): void {
    const back = how === 'call' ? behind : undefined;
    this.moments.push(this.moment(how, address, back, []));
  }

  private moment(
    how: Arrival,
    from: Word,
    back: Word | undefined,
    events: readonly CallEvent[],
  ): ExplainedMoment {
    const { codeAt, isC, kept } = this.around;
    const locals = { ...this.machine.rip };
    return {
      how,
      from: codeAt(from) ?? 'nowhere',
      at: locals,
      to: codeAt(locals) ?? 'nowhere',
      inC: isC(locals),
      back,
      rsp: readRegister(this.machine, RSP),
      stack: this.stack(),
      events,
      kept: kept(),
    };
  }

  private stack(): StackWord[] {
    const { stack } = this.machine;
    const rsp = readRegister(this.machine, RSP);
    const from = offsetIn(stack, rsp.hi, rsp.lo);
    const words: StackWord[] = [];
    for (let index = from; index < this.around.stackEnd; index += 8) words.push(this.word(index));
    return words;
  }

  private word(index: number): StackWord {
    const { stack } = this.machine;
    const value = readWord(stack, index);
    const [tagLo, tagHi] = [cell(stack.tagWords, index >> 2), cell(stack.tagWords, (index >> 2) + 1)];
    const group = wholeGroup(tagLo, tagHi);
    const written = (tagLo & 0xff) !== UNDEFINED && group !== LEFT_BEHIND;
    return {
      address: plus(stack.base, index),
      value,
      code: written ? this.around.codeAt(value) : undefined,
      origin: group === 0 || !written ? '' : groupName(group),
      written,
    };
  }
}

/** Whether the stack was written to, or other return addresses are saved than before. */
function isChanged(before: ExplainedMoment, after: ExplainedMoment): boolean {
  const said = ({ stack, kept }: ExplainedMoment) => JSON.stringify([stack, kept]);
  return said(before) !== said(after);
}
