import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item, present } from '../../model/core/present.ts';
import { addressOf } from '../../model/text/space.ts';
import { slotCount } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { displacement, fromHex } from '../../model/x86/word.ts';
import { isTracingMulti } from '../images/program-kinds.ts';
import type { Lab } from './lab.ts';
import { isProbe } from './programs.ts';
import type { RecordedSequenceEvent } from './record.ts';
import { targetNamed } from './targets.ts';
import type { CallWords } from './words.ts';

/** The call that events belong to. */
export interface CalledEvent {
  readonly lab: Pick<Lab, 'k' | 'profile' | 'programs'>;
  readonly target: TracedFunction;
  readonly words: CallWords;
}

/** An event of the model as the recorder would write it. */
export function writeEvent(called: CalledEvent, event: CallEvent): RecordedSequenceEvent {
  const { kind } = event;
  if (kind === 'extension' || kind === 'tracepoint probe' || kind === 'xdp program')
    throw new Error(`no recording has an event of ${event.who}`);
  return WRITERS[kind](called, event);
}

/** Events that no recorder of sequences shows. */
type Unrecorded = 'extension' | 'tracepoint probe' | 'xdp program';

type Writer = (called: CalledEvent, event: CallEvent) => RecordedSequenceEvent;

const WRITERS: Readonly<Record<Exclude<EventKind, Unrecorded>, Writer>> = {
  body: (called, event) => ({
    h: 'body',
    ...fnOf(called, event),
    ...bodyArguments(called, event),
    ...ret(event),
  }),
  replacement: () => ({ h: 'repl' }),
  direct: (called, event) => ({
    h: 'direct',
    t: item(['a', 'b', 'c'], Number(event.who.slice(-1)) - 1),
    ...fnOf(called, event),
    ...registers(called, event),
    retip: returnPlace(event),
  }),
  ftrace: (called, event) => ({
    h: 'ftrace',
    k: item(['plain', 'regs', 'ipmod'], indexOf(event)),
    ...fnOf(called, event),
    ...registers(called, event),
  }),
  'graph entry': (called, event) => ({ h: 'fg_entry', ...fnOf(called, event) }),
  'graph exit': (called, event) => ({ h: 'fg_exit', ...fnOf(called, event), ...graphReturn(called, event) }),
  kprobe: (called, event) => ({
    h: 'kprobe',
    ...(targetNamed(event.fn) === undefined ? {} : index(event)),
    ...fnOf(called, event),
    ...registers(called, event),
  }),
  'kprobe post': (called, event) => ({ h: 'kprobe_post', ...index(event), ...fnOf(called, event) }),
  'kretprobe entry': (called, event) => ({ h: 'kretprobe_entry', ...index(event), ...fnOf(called, event) }),
  kretprobe: (called, event) => ({ h: 'kretprobe', ...index(event), ...fnOf(called, event), ...ret(event) }),
  'fprobe entry': (called, event) => ({ h: 'fprobe_entry', ...index(event), ...fnOf(called, event) }),
  'fprobe exit': (called, event) => ({
    h: 'fprobe_exit',
    ...index(event),
    ...fnOf(called, event),
    ...ret(event),
  }),
  'kprobe.multi': writeProgram,
  'kprobe.multi return': writeProgram,
  program: writeProgram,
};

/** Events of another function than the called one name it. */
function fnOf({ target }: CalledEvent, { fn }: CallEvent): { fn?: FunctionName } {
  return fn === target.name ? {} : { fn };
}

/** The second probe of a function, or the kind of its ops: the last word of its name. */
function indexOf({ who }: CallEvent): number {
  return Number(who.split(' ')[2] ?? 0);
}

function index(event: CallEvent): { i?: number } {
  const i = indexOf(event);
  return i > 0 ? { i } : {};
}

function ret({ ret: value }: CallEvent): { ret?: string } {
  return value === undefined ? {} : { ret: value };
}

/** Only newer kernels give a graph user the registers at the exit; the recorder omits a zero. */
function graphReturn({ lab }: CalledEvent, event: CallEvent): { ret?: string } {
  return lab.profile.fprobe === 'fgraph' && event.ret !== '0x0' ? ret(event) : {};
}

/** Where a direct trampoline returns to, `f2+0x9` in the model, relative to the function that it runs for. */
function returnPlace({ fn, returnsTo = '' }: CallEvent): string {
  const offset = returnsTo.startsWith(`${fn}+0x`) ? returnsTo.slice(fn.length + 1) : undefined;
  return offset === undefined ? returnsTo : `fn+${Number(offset)}`;
}

function bodyArguments({ words }: CalledEvent, { args }: CallEvent): { a?: string | string[] } {
  return args === undefined || args.length === 0 ? {} : { a: asGiven(args, words.slots) };
}

/** Argument registers, one per word of the event's function. */
function registers({ words }: CalledEvent, { fn, args }: CallEvent): { a?: string | string[] } {
  if (args === undefined) return {};
  const own = targetNamed(fn);
  const seen = own === undefined ? args : args.slice(0, slotCount(own.signature));
  return { a: asGiven(seen.slice(0, words.registerTexts.length), words.registerTexts) };
}

/** `=N` for the first N words exactly as passed, otherwise the words. */
function asGiven(args: readonly string[], given: readonly string[]): string | string[] {
  for (let i = 0; i < args.length; i++) if (args[i] !== given[i]) return [...args];
  return args.length <= given.length ? `=${args.length}` : [...args];
}

/** Argument words that a program logs: the helpers have 12, a tracing multi program is compiled for 6. */
const WORDS_MOST = 15;
const HELPER_WORDS_MOST = 12;
const MULTI_WORDS = 6;

/** What a program logged: the words that it was compiled for, the return value, its cookie and function. */
function writeProgram(called: CalledEvent, event: CallEvent): RecordedSequenceEvent {
  const { lab, words } = called;
  const { kind, flags, slot, fn } = lab.programs.get(Number(event.who.slice('prog#'.length)))!;
  const { signature } = present(targetNamed(fn), fn);
  const helper = isTracingMulti(kind) || flags.includes('h');
  const compiled = Math.min(slotCount(signature), helper ? HELPER_WORDS_MOST : WORDS_MOST);
  const count = isProbe(kind) || isTracingMulti(kind) ? MULTI_WORDS : compiled;
  const a = asGiven(
    Array.from({ length: count }, (_, i) => event.args?.[i] ?? '0x0'),
    words.slots,
  );
  return {
    h: 'bpf',
    id: slot,
    ...(kind === 'krpm' || kind === 'kses'
      ? {}
      : { a: kind === 'kpm' ? cut(a, called.target, present(targetNamed(event.fn), event.fn)) : a }),
    ...programReturn(kind, helper, signature.ret.size > 0, event),
    ...(flags.includes('c') && event.cookie !== undefined && event.cookie !== '0x0'
      ? { cookie: event.cookie }
      : {}),
    ...(flags.includes('i') ? { ip: funcIp(called, event) } : {}),
  };
}

/**
 * A kprobe.multi program logs all six registers. The recorder keeps one per word of the called function; beyond the
 * arguments of the event's own function, they hold leftover values.
 */
function cut(a: string | string[], called: TracedFunction, own: TracedFunction): string | string[] {
  const most = Math.min(MULTI_WORDS, slotCount(called.signature), slotCount(own.signature));
  return Array.isArray(a) ? a.slice(0, most) : a;
}

/** The return value where the program could read it; the recorder omits a zero. */
function programReturn(kind: string, helper: boolean, returns: boolean, event: CallEvent): { ret?: string } {
  const byHelper = helper && (kind === 'fexit' || kind === 'fexitm' || kind === 'fmod');
  const direct = returns && (kind === 'fexit' || kind === 'fmod' || kind === 'fses');
  const reads = kind === 'krpm' || byHelper || direct;
  return reads && event.ret !== '0x0' ? ret(event) : {};
}

/** bpf_get_func_ip(): a place in the called function, or in another by its name. */
function funcIp({ lab, target }: CalledEvent, { fn, ip }: CallEvent): string {
  const offset = ip === undefined ? 0 : displacement(fromHex(ip), addressOf(lab.k, fn));
  return fn === target.name ? `fn+${offset}` : `security_lab_${fn}+0x${offset?.toString(16)}`;
}
