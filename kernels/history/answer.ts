import { errnoName } from '../../model/core/errno.ts';
import { present } from '../../model/core/present.ts';
import { PROGRAMS } from '../wire/numbers.ts';
import type { Cast } from './cast.ts';
import { TARGETS_FROM } from './cast.ts';
import type { Seen } from './seen.ts';

/*
 * The recorder's answers: one line of JSON each, in numbers. Here they get the names of the history again.
 */

/** An operation: 0 or the errno. */
export interface OpAnswer {
  readonly errno: string;
  /** The end of the verifier's log, of a refused program. */
  readonly log: string;
  /** The failure that was ordered has happened in it. */
  readonly hasFailed: boolean;
  readonly warnings: readonly string[];
}

export interface CallAnswer {
  readonly rax: string;
  /** Registers that were not preserved, as a mask. */
  readonly lost: number;
  readonly events: readonly Seen[];
  /** By how much the counters of probes that miss calls have grown. */
  readonly misses: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

export interface EntryAnswer {
  /** A symbol, an address, or `nop`. */
  readonly target: string;
  readonly isJump: boolean;
  /** The line of enabled_functions; undefined: there is none. */
  readonly enabled: string | undefined;
  readonly address: bigint;
  /** Where it goes; undefined: it is a nop. */
  readonly goesTo: bigint | undefined;
}

/** After everything was taken off. */
export interface EndAnswer {
  /** Functions that are still patched. */
  readonly left: readonly string[];
  /** Whether a direct call is accepted. */
  readonly direct: string;
  readonly warnings: readonly string[];
}

interface Raw {
  readonly r?: number;
  readonly log?: string;
  readonly failed?: 1;
  readonly warn?: readonly string[];
  readonly e?: string;
  readonly j?: number;
  readonly n?: string;
  readonly at?: string;
  readonly to?: string;
  readonly rax?: string;
  readonly lost?: number;
  readonly ev?: readonly RawEvent[];
  readonly left?: readonly string[];
  readonly direct?: number;
}

interface RawEvent {
  /** The kind of client, the function, the object; or a program. */
  readonly w?: number;
  readonly f?: number;
  readonly o?: number;
  readonly p?: number;
  readonly a?: readonly string[];
  readonly r?: string;
  readonly d?: string;
  readonly c?: string;
  readonly i?: string;
}

export function readOp(line: string): OpAnswer {
  const { r = 0, log = '', failed, warn = [] } = raw(line);
  return { errno: errnoOf(r), log, hasFailed: failed !== undefined, warnings: warn };
}

export function readEntry(line: string): EntryAnswer {
  const { e = 'nop', j = 0, n, at: address = '0x0', to } = raw(line);
  const goesTo = to === undefined ? undefined : BigInt(to);
  return { target: e, isJump: j === 1, enabled: n, address: BigInt(address), goesTo };
}

export function readEnd(line: string): EndAnswer {
  const { left = [], direct = 0, warn = [] } = raw(line);
  return { left, direct: errnoOf(direct), warnings: warn };
}

/** `places`: the addresses of the functions, for offsets in them. */
export function readCall(line: string, cast: Cast, places: ReadonlyMap<string, bigint>): CallAnswer {
  const { rax = '', lost = 0, ev = [], warn = [] } = raw(line);
  const names = new Map([...cast].map(([name, number]) => [number, name]));
  const events = ev.filter((event) => missing(event) === undefined);
  return {
    rax,
    lost,
    events: events.map((event) => seen(event, names, places)),
    misses: Object.fromEntries(ev.flatMap((event) => missing(event) ?? [])),
    warnings: warn,
  };
}

/** Kinds of probes that count what they miss, as recorder.h numbers them. */
const MISSED: Readonly<Record<number, string>> = { 13: 'kprobe#', 14: 'kretprobe#', 15: 'fprobe#' };

/** Whether the recorder reads what a client misses: links of kprobe.multi do not show it. */
export function isCounted(who: string): boolean {
  return Object.values(MISSED).some((kind) => who.startsWith(kind));
}

/** A probe and its misses; undefined: the event is no count. */
function missing({ w = 0, o = 0, d = '0' }: RawEvent): [[string, number]] | undefined {
  const kind = MISSED[w];
  return kind === undefined ? undefined : [[`${kind}${o}`, Number(d)]];
}

function raw(line: string): Raw {
  return JSON.parse(line) as Raw;
}

function errnoOf(answer: number): string {
  return answer >= 0 ? '0' : errnoName(-answer);
}

/** Kinds of clients that see a call, as recorder.h numbers them. */
const WHO: Readonly<Record<number, readonly [kind: string, object: string]>> = {
  1: ['body', ''],
  2: ['replacement', ''],
  3: ['direct', 'my_tramp'],
  4: ['ftrace', 'ops#'],
  5: ['graph entry', 'gops#'],
  6: ['graph exit', 'gops#'],
  7: ['kprobe', 'kprobe#'],
  8: ['kprobe post', 'kprobe#'],
  9: ['kretprobe entry', 'kretprobe#'],
  10: ['kretprobe', 'kretprobe#'],
  11: ['fprobe entry', 'fprobe#'],
  12: ['fprobe exit', 'fprobe#'],
  16: ['tracepoint probe', 'my_probe'],
};

function seen(
  event: RawEvent,
  names: ReadonlyMap<number, string>,
  places: ReadonlyMap<string, bigint>,
): Seen {
  const args = event.a === undefined ? {} : { args: event.a };
  return event.p === undefined
    ? { ...seenByClient(event, names.get(event.f ?? -1) ?? '?', places), ...args }
    : { ...seenByProgram(event, names, places), ...args };
}

function seenByProgram(
  { p = 0, r, c, i }: RawEvent,
  names: ReadonlyMap<number, string>,
  places: ReadonlyMap<string, bigint>,
): Seen {
  if (p >= PROGRAMS) {
    const name = names.get(TARGETS_FROM + p - PROGRAMS) ?? '?';
    return { kind: 'body', who: name, fn: name, ...(r === undefined ? {} : { ret: r }) };
  }
  return {
    kind: 'program',
    who: `prog#${p}`,
    fn: '',
    ...(r === undefined ? {} : { ret: r }),
    ...(c === undefined ? {} : { cookie: c }),
    ...(i === undefined ? {} : { ip: placeIn(BigInt(i), places) }),
  };
}

function seenByClient(
  { w = 0, o = 0, r, d }: RawEvent,
  fn: string,
  places: ReadonlyMap<string, bigint>,
): Seen {
  const [kind, object] = present(WHO[w], `an event of kind ${w}`);
  const who = kind === 'body' ? fn : kind === 'replacement' ? kind : `${object}${o}`;
  if (r !== undefined && kind === 'direct')
    return { kind, who, fn, returnsTo: returnPlace(BigInt(r), fn, places) };
  return { kind, who, fn, ...(r === undefined ? {} : { ret: r }), ...dataOf(object, o, d) };
}

/** The object that a graph user was given, if it is not its own; the word in the entry data of an fprobe; data of a client. */
function dataOf(object: string, own: number, data: string | undefined): Pick<Seen, 'data' | 'entryData'> {
  if (object === 'my_probe') return { data: `data#${Number(data ?? 0)}` };
  if (data === undefined) return {};
  if (object !== 'gops#') return { entryData: data };
  return Number(data) === own ? {} : { data: `gops#${Number(data)}` };
}

/** Bytes of a function within which an address is taken for a place in it. */
const NEAR = 64n;

function placeIn(address: bigint, places: ReadonlyMap<string, bigint>): string {
  for (const [name, place] of places)
    if (address >= place && address - place < NEAR) return `${name}+${address - place}`;
  return `0x${address.toString(16)}`;
}

function returnPlace(address: bigint, fn: string, places: ReadonlyMap<string, bigint>): string {
  const place = places.get(fn);
  if (place !== undefined && address >= place && address - place < NEAR)
    return `${fn}+0x${(address - place).toString(16)}`;
  return `0x${address.toString(16)}`;
}
