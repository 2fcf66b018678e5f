import { cell } from '../../x86/cell.ts';
import type { Word } from '../../x86/word.ts';

/*
 * Events that stubs write to the log in the data region, as words with their tags. A run is judged from its
 * events alone:
 *
 * ```text
 *   word 0   kind (low byte) and number      word 1   return address of the call
 *   word 2 … arguments, registers or memory as the stub has seen them
 * ```
 */

/** Kinds of event; the low byte of an event's header word. The rest of the header is a number (program, flavour). */
export const EVENT = {
  TRAMP_ENTER: 1,
  TRAMP_EXIT: 2,
  ENTER: 3,
  EXIT: 4,
  PROGRAM: 5,
  ORIGINAL: 6,
  /** Not from a stub: a store of the image (address, size), and its return about to happen (rsp, target). */
  STORE: 7,
  LEAVE: 8,
} as const;

/** The kinds by name, in the order of their numbers. */
export const EVENT_NAMES = [
  'trampEnter',
  'trampExit',
  'enter',
  'exit',
  'program',
  'original',
  'store',
  'leave',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

/** Words of an event; programs add one for each argument word, bodies one for each stack word. */
export const EVENT_WORDS = { TRAMP: 3, ENTER: 6, EXIT: 5, PROGRAM: 9, ORIGINAL: 10 } as const;

/** The log while it is being read: the data region's words and tags. */
export interface Log {
  readonly words: Int32Array;
  readonly tags: Int32Array;
}

/** The record of one stub: a view of the log, valid until the run resumes. `at` indexes the log's int32 entries. */
export interface StageEvent {
  readonly kind: number;
  /** Program number for PROGRAM; the helper's flavour for ENTER and EXIT. */
  readonly number: number;
  readonly at: number;
  readonly log: Log;
}

/** Word `index` of an event (0 is the header, 1 the return address of the call). */
export function wordOf(event: StageEvent, index: number): Word {
  const offset = event.at + 2 * index;
  return { lo: cell(event.log.words, offset), hi: cell(event.log.words, offset + 1) };
}

/** Tags of word `index`, four to a half. */
export function tagsOf(event: StageEvent, index: number): { lo: number; hi: number } {
  const offset = event.at + 2 * index;
  return { lo: cell(event.log.tags, offset), hi: cell(event.log.tags, offset + 1) };
}

/** The word of a PROGRAM event that its session cookie held, if it reads one. */
export const SESSION_COOKIE = 7;

/** Where the argument words of a PROGRAM event start, and the registers and stack words of an ORIGINAL event. */
export const PROGRAM_ARGUMENTS = 8;
export const ORIGINAL_REGISTERS = 4;
export const ORIGINAL_STACK = 10;

/** The events between two places of the log; `slots` and `stackWords` tell how long the open-ended kinds are. */
export function eventsBetween(
  log: Log,
  from: number,
  to: number,
  slots: number,
  stackWords: number,
): StageEvent[] {
  const events: StageEvent[] = [];
  for (let offset = from; offset < to; ) {
    const header = cell(log.words, offset);
    const kind = header & 0xff;
    events.push({ kind, number: header >>> 8, at: offset, log });
    offset += 2 * eventWords(kind, slots, stackWords);
  }
  return events;
}

/** Words of an event of one of the kinds above. */
export function eventWords(kind: number, slots: number, stackWords: number): number {
  switch (kind) {
    case EVENT.TRAMP_ENTER:
    case EVENT.TRAMP_EXIT:
      return EVENT_WORDS.TRAMP;
    case EVENT.ENTER:
      return EVENT_WORDS.ENTER;
    case EVENT.EXIT:
      return EVENT_WORDS.EXIT;
    case EVENT.PROGRAM:
      return EVENT_WORDS.PROGRAM + slots;
    case EVENT.ORIGINAL:
      return EVENT_WORDS.ORIGINAL + stackWords;
    default:
      throw new Error(`the log is damaged: event kind ${kind}`);
  }
}
