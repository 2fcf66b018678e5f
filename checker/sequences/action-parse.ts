import type { Action } from '../../model/action.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { parseOpsFlags } from '../../model/ftrace/ops.ts';
import { PROBES } from '../../model/tracepoint/probe-functions.ts';
import { DEFAULT_PRIO } from '../../model/tracepoint/tracepoint.ts';
import { ARGS_MAX } from '../../model/trampoline/load-target.ts';
import type { Program } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import type { BpfProg } from '../../model/trampoline/world.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromHex, ZERO } from '../../model/x86/word.ts';
import { parseProgram } from '../images/spelling.ts';
import type { Spelling } from './action-text.ts';
import { RETURN, readsWords } from './action-text.ts';
import { argumentSlots, isHit } from './argument-slots.ts';

/** Reads an action as `printAction()` writes it; an InputError says what cannot be read. */
export function parseAction(text: string, spelling: Spelling): Action {
  const sentence = readSentence(text);
  if (sentence !== undefined) return sentence;
  const [, verb, made = ''] = /^task#1 (calls|hits) (.+)$/.exec(text) ?? [];
  if (verb !== undefined) return { do: 'call', ...parseCall(made, spelling, verb === 'hits') };
  const [, result, name = '', inside = ''] = /^(?:(\S+) = )?([\w.]+)\((.*)\)$/.exec(text) ?? [];
  if (name === '') throw new InputError(`"${text}" is no action`);
  const action = readFunction(name, result ?? '', argumentsOf(inside), spelling);
  if (action === undefined) throw new InputError(`"${text}": there is no action ${name} like this`);
  requireAddresses(action);
  return action;
}

/** The actions that are not calls of C functions. */
function readSentence(text: string): Action | undefined {
  if (text === 'all grace periods end') return { do: 'settle' };
  const enabled = /^sysctl kernel\.ftrace_enabled=([01])$/.exec(text);
  if (enabled !== null) return { do: 'kernel.ftrace_enabled', value: enabled[1] === '1' };
  const filter = /^echo (!?)(\w+) >> set_ftrace_filter$/.exec(text);
  if (filter !== null) return { do: 'set_ftrace_filter', ip: filter[2]!, remove: filter[1] === '!' };
  const fault = /^the next (allocation|poke) in (.+) fails$/.exec(text);
  if (fault !== null) return { do: 'fail', fault: { what: fault[1] as 'poke', where: fault[2]! } };
  return undefined;
}

/** Where direct calls may lead: the trampolines that clients bring, or an image that they know of. */
const ADDRESSES = /^(my_tramp[1-3]|tramp#[0-9]{1,4})$/;

function requireAddresses(action: Action): void {
  for (const [field, value] of Object.entries(action) as [string, unknown][]) {
    const named = field === 'hash' ? Object.values(value as object) : /addr$/i.test(field) ? [value] : [];
    for (const name of named)
      if (!ADDRESSES.test(String(name)))
        throw new InputError(`${name} is no trampoline; there are my_tramp1, my_tramp2, my_tramp3`);
  }
}

/** Arguments, separated by commas that are not inside braces. */
function argumentsOf(inside: string): string[] {
  return inside === '' ? [] : inside.split(/, (?![^{]*\})/);
}

function inBraces(text: string): string[] {
  const inside = /^\{ (.*?) ?\}$/.exec(text)?.[1];
  if (inside === undefined) throw new InputError(`"${text}" is not a list in braces`);
  return inside === '' ? [] : inside.split(', ');
}

/** One line for each function that a client calls. One switch, longer than it should be on purpose: a case for each interface. */
function readFunction(
  name: string,
  result: string,
  args: readonly string[],
  s: Spelling,
): Action | undefined {
  const [a = '', b = '', ...rest] = args;
  const has = (word: string) => rest.includes(word);
  switch (name) {
    case 'ftrace_ops':
      return { do: name, ops: result, flags: a === 'DIRECT' ? 0 : parseOpsFlags(a), direct: a === 'DIRECT' };
    case 'ftrace_set_filter_ip':
      return { do: name, ops: a, ip: b, remove: rest[0] === '1', reset: rest[1] === '1' };
    case 'ftrace_set_notrace':
      return { do: name, ops: a, ip: b, reset: has('1') };
    case 'ftrace_free_filter':
    case 'register_ftrace_function':
    case 'unregister_ftrace_function':
      return { do: name, ops: a };
    case 'update_ftrace_direct_add':
    case 'update_ftrace_direct_mod':
    case 'update_ftrace_direct_del':
      return { do: name, ops: a, hash: Object.fromEntries(inBraces(b).map((pair) => pair.split(': '))) };
    case 'register_ftrace_graph':
    case 'unregister_ftrace_graph':
      return { do: name, gops: a };
    case 'register_kprobe':
      return { do: name, kprobe: a, ip: b, post: has('post_handler') };
    case 'unregister_kprobe':
      return { do: name, kprobe: a };
    case 'register_kretprobe': {
      const maxactive = wholeNumber((rest[0] ?? '').replace('maxactive=', ''), 'maxactive', 4096);
      return { do: name, kretprobe: a, ip: b, maxactive, entryHandler: has('entry_handler') };
    }
    case 'unregister_kretprobe':
      return { do: name, kretprobe: a };
    case 'register_fprobe_ips':
      return {
        do: name,
        fprobe: a,
        ips: inBraces(b),
        entry: has('entry_handler'),
        exit: has('exit_handler'),
      };
    case 'unregister_fprobe':
      return { do: name, fprobe: a };
    case 'tracepoint_probe_register':
      return { do: 'tracepoint_probe_register_prio', ...readProbe(args), prio: DEFAULT_PRIO };
    case 'tracepoint_probe_register_prio':
      return { do: name, ...readProbe(args), prio: wholeNumber(rest[1] ?? '', 'a priority', 1000) };
    case 'tracepoint_probe_unregister':
      return { do: name, ...readProbe(args) };
    case 'kfree':
      return { do: name, object: a };
    case 'BPF_PROG_LOAD':
      return readLoad(numberOf(result, 'prog'), a, b);
    case 'BPF_LINK_CREATE':
      return { do: name, link: result, prog: numberOf(a, 'prog'), targets: b === '' ? [] : inBraces(b) };
    case 'BPF_RAW_TRACEPOINT_OPEN':
      return { do: name, link: result, prog: numberOf(a, 'prog'), ...(b === '' ? {} : { tracepoint: b }) };
    case 'init_module':
    case 'delete_module':
      return { do: name, module: a };
    case 'close':
      return a.startsWith('prog#')
        ? { do: 'close(prog)', prog: numberOf(a, 'prog') }
        : { do: 'close(link)', link: a };
    default:
      return readDirect(name, args, s);
  }
}

/** A function of the client's with its data, and the tracepoint that it is registered on. */
function readProbe([tracepoint = '', func = '', data = '']: readonly string[]) {
  if (!PROBES.some((probe) => probe === func))
    throw new InputError(`${func} is no probe; there are ${PROBES.join(', ')}`);
  return { tracepoint, func, data: `data#${numberOf(data, 'data')}` };
}

/** The interfaces of direct calls: by an ops, or (6.3 and before) by an address; there the first is called `_multi`. */
function readDirect(name: string, args: readonly string[], { profile }: Spelling): Action | undefined {
  const [, verb, multi] = /^(register|modify|unregister)_ftrace_direct(_multi)?$/.exec(name) ?? [];
  const [a = '', b = '', c = ''] = args;
  const old = profileNamed(profile).directApi === 'ip and multi';
  if (verb === undefined || (multi !== undefined && !old)) return undefined;
  if (old && multi === undefined) {
    if (verb === 'modify') return { do: 'modify_ftrace_direct(ip)', ip: a, oldAddr: b, newAddr: c };
    return {
      do: verb === 'register' ? 'register_ftrace_direct(ip)' : 'unregister_ftrace_direct(ip)',
      ip: a,
      addr: b,
    };
  }
  if (verb === 'unregister')
    return { do: 'unregister_ftrace_direct', ops: a, addr: b, freeFilters: c === 'true' };
  return { do: verb === 'register' ? 'register_ftrace_direct' : 'modify_ftrace_direct', ops: a, addr: b };
}

function numberOf(name: string, kind: string): number {
  const match = new RegExp(`^${kind}#([0-9]{1,3})$`).exec(name);
  if (match === null) throw new InputError(`"${name}" is not a name like ${kind}#1`);
  return Number(match[1]);
}

function readLoad(id: number, kind: string, target: string): Action {
  const [what = '', gives] = kind.split(' returns=');
  const returns = gives === undefined ? ZERO : readWord(gives);
  const [multi = '', said] = /^(?:kprobe\.multi (entry|return|session)|raw_tp)\b/.exec(what) ?? [];
  const probe = said ?? multi;
  const { rest, ...read } = readAccesses(what) ?? readReads(what, probe);
  const program = { ...readProgram(id, rest.replace(multi, multi && 'fentry')), ...read };
  return {
    do: 'BPF_PROG_LOAD',
    program,
    target,
    probe: probe as BpfProg['probe'],
    returns,
  };
}

/** How a program reads its context, and the text in front of that. */
type Read = Pick<Program, 'reads' | 'accesses'> & { readonly rest: string };

function readReads(what: string, probe: string): Read {
  const words = readsWords(probe);
  const ways = Object.keys(words) as Program['reads'][];
  const isSaid = (way: Program['reads']) => what.endsWith(words[way]);
  const reads = ways.find((way) => words[way] !== '' && isSaid(way)) ?? ways.find(isSaid)!;
  return { reads, rest: what.slice(0, what.length - words[reads].length) };
}

/** Which arguments of its first function it reads: `reads=ctx[0+2+ret]`. */
function readAccesses(what: string): Read | undefined {
  const [, rest, list] = /^(.*) reads=ctx\[(.*)\]$/.exec(what) ?? [];
  if (rest === undefined || list === undefined) return undefined;
  const items = list === '' ? [] : list.split('+');
  const isReturn = items.at(-1) === RETURN;
  const numbers = isReturn ? items.slice(0, -1) : items;
  return {
    rest,
    reads: isReturn ? 'return directly' : 'direct',
    accesses: numbers.map((number) => wholeNumber(number, 'an argument that is read', ARGS_MAX)),
  };
}

/** An extension is written like a program of an image, which has no such kind. */
function readProgram(id: number, text: string): Program {
  const extension = /^freplace\b/.test(text);
  const parsed = parseProgram(extension ? text.replace('freplace', 'fentry') : text);
  const kind = extension ? 'freplace' : parsed.kind;
  return { ...plainProgram(id), ...parsed, kind, cookie: fromHex(parsed.cookie) };
}

function readWord(text: string): Word {
  if (!/^0x[0-9a-f]{1,16}$/.test(text)) throw new InputError(`${text} is not a word like 0x5100000071000000`);
  return fromHex(text);
}

/**
 * Reads `f1(0x1)`: a word for each argument word of the function, or of the tracepoint. `hits` says which of the two it has
 * to be; either when it is left out.
 */
export function parseCall(text: string, spelling: Spelling, hits?: boolean): CallRequest {
  const [, fn = '', inside = ''] = /^([\w.]+)\((.*)\)$/.exec(text) ?? [];
  if (fn === '') throw new InputError(`"${text}" is no call of a function`);
  const slots = argumentSlots(fn, spelling);
  if (slots === undefined || (hits !== undefined && hits !== isHit(fn, spelling)))
    throw new InputError(`${fn} is not declared as a ${hits === true ? 'tracepoint' : 'function'}`);
  const args = argumentsOf(inside);
  if (slots.length !== args.length)
    throw new InputError(`${fn} takes ${slots.length} argument words, not ${args.length}`);
  const registers: Word[] = Array.from({ length: 6 }, () => ZERO);
  const stack: Word[] = [];
  slots.forEach(({ place }, i) => {
    (place.in === 'register' ? registers : stack)[place.index] = readWord(args[i]!);
  });
  for (let i = 0; i < stack.length; i++) stack[i] ??= ZERO;
  return { fn, registers, stack };
}
