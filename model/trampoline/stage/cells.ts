import { item } from '../../core/present.ts';
import { writeWord } from '../../x86/memory.ts';
import { GROUP_MAX, highTags, lowTags } from '../../x86/origin.ts';
import { CALLER_SAVED } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { plus, ZERO } from '../../x86/word.ts';
import * as group from './groups.ts';
import { CELL, DATA, DATA_BYTES, PROGRAMS_MAX } from './layout.ts';
import type { Stage } from './stage.ts';

/*
 * The cells of a stage: words that stubs answer from, with recognisable values. Each value carries its origin in
 * the tags, so that a law can tell from a register where its content came from.
 */

/** A recognisable value for each origin, different in every byte, so that a shifted or swapped word shows. */
export function sampleWord(origin: number): Word {
  return item(SAMPLES, origin);
}

/** Byte k of the value is its own tag with bit 6 flipped. */
const SAMPLES: readonly Word[] = Array.from({ length: GROUP_MAX + 1 }, (_, origin) => ({
  lo: lowTags(origin) ^ 0x40404040,
  hi: highTags(origin) ^ 0x40404040,
}));

/** Cells that no run changes: return values, clobbers, start times. */
export function writeFixedCells(stage: Stage): void {
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
  setSessions(stage, []);
}

/** Sets a word of the data region to a value of the given origin (0: constant). */
export function writeCell(stage: Stage, offset: number, value: Word, origin: number): void {
  if (origin === 0) writeWord(stage.data, offset, value);
  else writeWord(stage.data, offset, value, lowTags(origin), highTags(origin));
}

/** What enter answers for a program: a start time of its own, or zero for "missed". */
export function startValue(id: number, entered: boolean): Word {
  return entered ? plus(sampleWord(group.START), id * 0x10000) : ZERO;
}

/**
 * Sets the answer of the enter helper for a program. It is kept in `struct bpf_prog`, whose address the
 * helper gets: a start time, or 0 when `prog->active` shows a recursion (__bpf_prog_enter_recur(),
 * kernel/bpf/trampoline.c).
 */
export function setStart(stage: Stage, id: number, entered: boolean): void {
  const { region, offset } = item(stage.startCells, id);
  writeWord(region, offset, startValue(id, entered), lowTags(group.START), highTags(group.START));
}

/** What a program returns when it returns something: a value of its own. */
export function programReturnValue(id: number): Word {
  return plus(sampleWord(group.PROGRAM_RETURN), id * 0x10000);
}

/** The return value of a program: zero, or its own value. */
export function setReturn(stage: Stage, id: number, nonzero: boolean): void {
  writeCell(
    stage,
    CELL.PROGRAM_RETURN + 8 * id,
    nonzero ? programReturnValue(id) : ZERO,
    group.PROGRAM_RETURN,
  );
}

/** What a session leaves in its cookie. */
export function sessionValue(id: number): Word {
  return { hi: 0x5e55, lo: id };
}

/** The programs that use their session cookie; all others ignore it. */
export function setSessions(stage: Stage, looking: readonly number[]): void {
  for (let id = 0; id <= PROGRAMS_MAX; id++)
    writeCell(stage, CELL.SESSION + 8 * id, looking.includes(id) ? sessionValue(id) : ZERO, 0);
}

/** Forgets the events that have been read. */
export function resetLog(stage: Stage): void {
  writeCell(stage, CELL.LOG_NEXT, LOG_START, 0);
}

/** The log is at the end of the data region and is never read by code. */
const LOG_START = plus(DATA, CELL.LOG);

/** `current->bpf_ctx` before the call: some run context of an outer program. */
export const OUTER_CONTEXT_ADDRESS = plus(DATA, DATA_BYTES - 64);
