import type { ActionOf } from '../../model/client/all.ts';
import { readObjectName } from '../../model/core/object-name.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Cast } from '../history/cast.ts';
import { TRACEPOINTS_FROM } from '../history/cast.ts';

/* The numbers by which the recorder knows operations, functions and objects. */

/** What a line is spelled with. */
export interface Wording {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  readonly tracepoints?: readonly DeclaredTracepoint[];
  readonly cast: Cast;
}

/** Operations of the module, as recorder.h numbers them. */
export const OP = {
  BIND: 2,
  RESET: 7,
  SETTLE: 9,
  STAND: 12,
  RELEASE: 13,
  SCOPE: 15,
  FTRACE_OPS: 20,
  FILTER_IP: 21,
  NOTRACE: 22,
  FREE_FILTER: 23,
  REGISTER: 24,
  UNREGISTER: 25,
  DIRECT: 26,
  DIRECT_MODIFY: 27,
  DIRECT_UNREGISTER: 28,
  DIRECT_IP: 29,
  DIRECT_IP_MODIFY: 30,
  DIRECT_IP_UNREGISTER: 31,
  TABLE_ADD: 32,
  TABLE_DEL: 33,
  TABLE_MOD: 34,
  GRAPH: 40,
  GRAPH_UNREGISTER: 41,
  KPROBE: 42,
  KPROBE_UNREGISTER: 43,
  KPROBE_DISABLE: 44,
  KPROBE_ENABLE: 45,
  KRETPROBE: 46,
  KRETPROBE_UNREGISTER: 47,
  KRETPROBE_DISABLE: 48,
  KRETPROBE_ENABLE: 49,
  FPROBE: 50,
  FPROBE_UNREGISTER: 51,
  KFREE: 52,
  TRACEPOINT: 60,
  TRACEPOINT_UNREGISTER: 61,
} as const;

/** Objects of each kind; those for direct calls come after the others, those of graph users have a base of their own. */
const OBJECTS = 16;
const GRAPH_OPS = 100;
/** Programs that others are attached to have the numbers after these in events. */
export const PROGRAMS = 32;
/** An address that is no call site, or the id of no function. */
export const NO_PLACE = -1;

/** The recorder cannot make a call; the message says why. */
export class CannotSay extends Error {}

export function cannot(why: string): never {
  throw new CannotSay(why);
}

/** The line of an operation of the module. */
export function op(name: keyof typeof OP, ...words: readonly (number | boolean)[]): string {
  return ['x', OP[name], ...words.map(Number)].join(' ');
}

/** The number of a function; of what is none, an address without a call site. */
export function placeOf(name: string, { functions, cast }: Wording): number {
  const fn = functions.find((other) => other.name === name);
  if (fn === undefined) return NO_PLACE;
  return cast.get(name) ?? cannot(OTHER_FUNCTIONS);
}

/** The number of an object among those of its kind. */
export function numberOf(name: string): number {
  const whole = name.replace(/\.(ops|kp)$/, '');
  const { kind, number = 0 } = readObjectName(whole);
  if (number >= OBJECTS) return cannot(`more than ${OBJECTS} objects of a kind`);
  if (kind === 'direct') return OBJECTS + number;
  return kind === 'gops' && whole !== name ? GRAPH_OPS + number : number;
}

export function trampOf(addr: string): number {
  const tramp = /^my_tramp([123])$/.exec(addr);
  return tramp === null ? cannot('an image of BPF as a direct call') : Number(tramp[1]);
}

export function programNumber(prog: number): number {
  return prog < PROGRAMS ? prog : cannot(`more than ${PROGRAMS} programs`);
}

/** Functions that none of the recorder's can play. */
export const OTHER_FUNCTIONS = 'functions of this kind';

/** What the recorder cannot place: no source says which instruction is where. */
export const IN_A_BODY = 'kprobes in a body, whose instructions the compiler chooses';

/** The driver has the same number of places for perf events, programs and links. */
export function eventNumber(event: string): number {
  return programNumber(readObjectName(event).number ?? 0);
}

export function linkNumber(link: string): number {
  return programNumber(readObjectName(link).number ?? 0);
}

/** A call with its words. */
export function callLine({ fn, registers, stack }: Omit<ActionOf<'call'>, 'do'>, { cast }: Wording): string {
  const number = cast.get(fn) ?? cannot(OTHER_FUNCTIONS);
  return ['c', number, ...[...registers, ...stack].map(toHex)].join(' ');
}

/** The number of a tracepoint among them; of what is none, a name that no tracepoint has. */
export function tracepointNumber(name: string, { cast, tracepoints }: Wording): number {
  if (!tracepoints?.some((other) => other.name === name)) return NO_PLACE;
  return (
    (cast.get(name) ?? cannot('tracepoints of these types, or whose probes may fault')) - TRACEPOINTS_FROM
  );
}
