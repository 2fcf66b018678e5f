import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import { addressOf } from '../../model/text/space.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { displacement, fromHex, toHex, zeroExtended } from '../../model/x86/word.ts';
import { isOnTracepoint } from '../wire/programs.ts';

/*
 * One event of a call, by the model or by the recorder, as a text: what both sides can say, in the same words. No client
 * was promised, and so left out are registers that hold no argument, what a function without a return value leaves in rax,
 * the upper bits of a narrow one.
 */

/** An event before it is printed; fields that one side cannot say are absent on both. */
export interface Seen {
  readonly kind: string;
  readonly who: string;
  /** The function that it belongs to; `?`: none; empty for programs. */
  readonly fn: string;
  /** The function that a program ran for, which the recorder does not say: it decides the width of what returns. */
  readonly ranFor?: string;
  readonly args?: readonly string[];
  readonly ret?: string;
  readonly cookie?: string;
  readonly data?: string;
  /** The word in the entry data of an fprobe. */
  readonly entryData?: string;
  readonly ip?: string;
  readonly returnsTo?: string;
}

/** Programs run at several places under one kind. */
const PROGRAM = 'program';
const OF_PROGRAMS: readonly string[] = [PROGRAM, 'extension', 'kprobe.multi', 'kprobe.multi return'];

/** An event of the model. What a perf event runs, the recorder sees as a run of its program. */
export function seenByModel(k: KernelView, event: CallEvent): Seen {
  const perf = k.perf?.events[event.who];
  if (perf !== undefined) return { kind: PROGRAM, who: `prog#${perf.prog}`, fn: '', ranFor: event.fn };
  const { kind, who, fn, args, ret, cookie, data, entryData, ip, returnsTo } = event;
  const isProgram = OF_PROGRAMS.includes(kind);
  const offset = ip === undefined ? undefined : displacement(fromHex(ip), addressOf(k, fn));
  return {
    kind: isProgram ? PROGRAM : kind,
    who,
    fn: isProgram ? '' : fn,
    ...(isProgram ? { ranFor: fn } : {}),
    ...(args === undefined ? {} : { args }),
    ...(ret === undefined ? {} : { ret }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(data === undefined ? {} : { data }),
    ...(entryData === undefined ? {} : { entryData }),
    ...(offset === undefined ? {} : { ip: `${fn}+${offset}` }),
    ...(returnsTo === undefined ? {} : { returnsTo }),
  };
}

/** What decides how much of an event is compared. */
export interface Compared {
  readonly functions: readonly TracedFunction[];
  readonly tracepoints: readonly DeclaredTracepoint[];
  /** The programs of kprobes and of kprobe.multi links: they see all registers, and their cookie is not read. */
  readonly probes: ReadonlySet<string>;
  /** Ops that are live patches, whose handler does not say that it has run. */
  readonly patches: ReadonlySet<string>;
}

export function comparedIn({ functions, tracepoints = [], actions }: AttachCase): Compared {
  const probes = actions.flatMap((action) =>
    action.do === 'BPF_PROG_LOAD' && isOfProbe(action.probe) ? [`prog#${action.program.id}`] : [],
  );
  const patches = actions.flatMap((action) =>
    action.do === 'ftrace_ops' && action.flags === LIVE_PATCH_FLAGS ? [action.ops] : [],
  );
  return { functions, tracepoints, probes: new Set(probes), patches: new Set(patches) };
}

function withoutPatches(events: readonly Seen[], { patches }: Compared): Seen[] {
  return events.filter(({ kind, who }) => kind !== 'ftrace' || !patches.has(who));
}

/** Programs on tracepoints see arguments, and a cookie. */
function isOfProbe(probe: string): boolean {
  return probe !== '' && !isOnTracepoint(probe);
}

/** Two lists of events in the same words: fields that only one of a pair has are left out of both. */
export function inSameWords(
  kernel: readonly Seen[],
  model: readonly Seen[],
  compared: Compared,
): { readonly kernel: string[]; readonly model: string[] } {
  const print = (events: readonly Seen[], others: readonly Seen[]) => {
    const data = new Map<string, string>();
    return events.map((event, i) => printed(trimmed(event, others[i], compared), data));
  };
  const [own, said] = [withoutPatches(kernel, compared), withoutPatches(model, compared)];
  return { kernel: print(own, said), model: print(said, own) };
}

/** Fields that one side cannot give. */
const OPTIONAL = ['ret', 'cookie', 'ip', 'entryData', 'args'] as const;

function trimmed(event: Seen, other: Seen | undefined, { functions, tracepoints, probes }: Compared): Seen {
  const isSame = other !== undefined && other.kind === event.kind && other.who === event.who;
  const ranFor = event.ranFor ?? (isSame ? other.ranFor : undefined);
  const own = functions.find(({ name }) => name === event.fn);
  const returning = functions.find(({ name }) => name === (ranFor ?? event.fn));
  const kept: { -readonly [F in keyof Seen]: Seen[F] } = { ...event };
  for (const field of OPTIONAL) if (isSame && other[field] === undefined) delete kept[field];
  if (kept.args !== undefined && own !== undefined && event.kind !== 'body')
    kept.args = kept.args.slice(0, registersOf(own));
  const hit = tracepoints.find(({ name }) => name === (ranFor ?? event.fn));
  if (hit !== undefined && kept.args !== undefined) kept.args = ofHit(kept.args, hit, event.kind);
  if (probes.has(event.who)) {
    delete kept.cookie;
    delete kept.args;
    delete kept.ret;
  }
  if (kept.ret !== undefined && event.kind !== 'body' && returning !== undefined)
    kept.ret = narrowed(kept.ret, returning);
  if (event.fn === '?') delete kept.returnsTo;
  // Its address is cleared: how many words are arguments is not known.
  if (event.fn === '?' && event.kind === 'kprobe') delete kept.args;
  return kept;
}

/** Programs that read everything read more than there is. A probe gets what the ABI leaves above narrow arguments. */
function ofHit(words: readonly string[], { args }: DeclaredTracepoint, kind: string): string[] {
  const own = words.slice(0, args.length);
  if (kind !== 'tracepoint probe') return own;
  return own.map((word, i) => toHex(zeroExtended(fromHex(word), item(args, i).size)));
}

/** Argument words that are in registers. */
function registersOf({ signature }: TracedFunction): number {
  return abiSlots(signature).filter(({ place }) => place.in === 'register').length;
}

/** A return value as its type has it. */
export function narrowed(ret: string, { signature }: Pick<TracedFunction, 'signature'>): string {
  const { size } = signature.ret;
  if (size === 0) return 'nothing';
  return size >= 8 ? ret : `0x${BigInt.asUintN(8 * size, BigInt(ret)).toString(16)}`;
}

/** The words in entry data differ from call to call: they are numbered in the order in which they appear. */
function printed(event: Seen, data: Map<string, string>): string {
  const { kind, who, fn, args, ret, cookie, data: given, entryData, ip, returnsTo } = event;
  if (entryData !== undefined && !data.has(entryData)) data.set(entryData, `word ${data.size + 1}`);
  return [
    `${kind} ${who}`,
    ...(fn === '' || fn === who ? [] : [`of ${fn}`]),
    ...(args === undefined ? [] : [`(${args.join(', ')})`]),
    ...(ret === undefined ? [] : [`returns ${ret}`]),
    ...(cookie === undefined ? [] : [`cookie ${cookie}`]),
    ...(given === undefined ? [] : [`given ${given}`]),
    ...(entryData === undefined ? [] : [data.get(entryData) ?? '']),
    ...(ip === undefined ? [] : [`ip ${ip}`]),
    ...(returnsTo === undefined ? [] : [`→ ${returnsTo}`]),
  ].join(' ');
}
