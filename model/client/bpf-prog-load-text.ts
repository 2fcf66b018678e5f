import type { LoadedProgram } from '../contract/promises.ts';
import { InputError } from '../core/input-error.ts';
import { wholeNumber } from '../core/input-value.ts';
import { present } from '../core/present.ts';
import { ARGS_MAX } from '../trampoline/load-target.ts';
import type { BpfProgram } from '../trampoline/program.ts';
import { hasTargetAtLoad, KINDS, plainProgram } from '../trampoline/program.ts';
import { parseProgram, printProgram } from '../trampoline/program-text.ts';
import { fromHex, toHex, ZERO } from '../x86/word.ts';
import type { SpelledLine } from './spelling.ts';
import { called, numberOf } from './spelling.ts';
import { parseWord } from './word-text.ts';

/*
 * The kernel reads attributes (`expected_attach_type`, `attach_btf_id`, `prog_flags`), and the verifier finds
 * the context accesses in the instructions. A trace has both as words. In the order in which they are printed:
 *
 * ```text
 *   prog#1 = BPF_PROG_LOAD(fexit sleepable cookie=0x1 reads=ctx[0+ret] returns=0x5eed, f1)
 *                          kind  flags     link       accesses         R0 at exit      target
 * ```
 *
 * The cookie belongs to the link in the kernel (`link_create.tracing.cookie`). It is part of the load here, so
 * that one action names all that the program can see.
 */

/** `prog#1 = BPF_PROG_LOAD(fexit cookie=0x1 returns=0x5eed, f1)`. */
export function printLoad({ program, target, btf = target, probe, returns }: LoadedProgram): string {
  const spelt = printProgram({ ...program, cookie: toHex(program.cookie) });
  const kind = probe === '' ? spelt : spelt.replace(program.kind, probeKind(probe));
  const reads = readsText(program, probe);
  const gives = returns.lo === 0 && returns.hi === 0 ? '' : ` returns=${toHex(returns)}`;
  return `prog#${program.id} = ${called('BPF_PROG_LOAD', kind + reads + gives, ...(btf === '' ? [] : [btf]))}`;
}

/** Kinds of programs for tracepoints, for events of kprobes and for devices. */
const BY_ITSELF = ['raw_tp', 'tp', 'kprobe', 'xdp'] as const;

/** `kprobe.multi entry`, `raw_tp`. */
function probeKind(probe: string): string {
  return BY_ITSELF.some((kind) => kind === probe) ? probe : `kprobe.multi ${probe}`;
}

/** How a program reads its context: a tracing program through helpers, which goes without saying. */
const TRACING_READS: ReadsWords = { helpers: '', direct: ' reads=ctx', 'return directly': ' reads=ret' };
/** A kprobe program its registers. */
const PROBE_READS: ReadsWords = { ...TRACING_READS, direct: '', helpers: ' reads=helpers' };

type ReadsWords = Readonly<Record<BpfProgram['reads'], string>>;

/** The context accesses of a program that was checked against its first function: `reads=ctx[0+2+ret]`. */
function readsText({ accesses, reads, cgroup }: BpfProgram, probe: string): string {
  if (accesses === undefined) return readsWords(probe, cgroup === true)[reads];
  return ` reads=ctx[${[...accesses, ...(reads === 'return directly' ? [RETURN] : [])].join('+')}]`;
}

/** The return value among what a program reads of ctx. */
const RETURN = 'ret';

/** Whether a program has helpers to read its context: one for kprobe.multi, and one for cgroups, has none. */
export function hasContextHelpers(probe: string, cgroup: boolean): boolean {
  return probe === '' && !cgroup;
}

/** The words for how a program reads its context. */
function readsWords(probe: string, cgroup: boolean): ReadsWords {
  return hasContextHelpers(probe, cgroup) ? TRACING_READS : PROBE_READS;
}

export function parseLoad({ result, args: [how = '', target = ''] }: SpelledLine): LoadedProgram {
  const [what = '', gives] = how.split(' returns=');
  const returns = gives === undefined ? ZERO : parseWord(gives);
  const [front = '', probe] = probeIn(what);
  const { rest, ...read } = readAccesses(what) ?? readReads(what, probe);
  const program = {
    ...readProgram(numberOf(result, 'prog'), rest.replace(front, front && 'fentry')),
    ...read,
  };
  const isModule = target !== '' && !hasTargetAtLoad(program);
  return { program, ...(isModule ? { target: '', btf: target } : { target }), probe, returns };
}

/** The words in front that say that it is no tracing program, and what it is for. */
function probeIn(what: string): readonly [front: string, probe: LoadedProgram['probe']] {
  for (const probe of [...BY_ITSELF, 'entry', 'return', 'session'] as const) {
    const front = probeKind(probe);
    if (new RegExp(`^${front}(?![\\w.])`).test(what)) return [front, probe];
  }
  return ['', ''];
}

/** How a program reads its context, and the text before that. */
type Read = Pick<BpfProgram, 'reads' | 'accesses'> & { readonly rest: string };

function readReads(what: string, probe: string): Read {
  const words = readsWords(probe, / cgroup\b/.test(what));
  const ways = Object.keys(words) as BpfProgram['reads'][];
  const isSaid = (way: BpfProgram['reads']) => what.endsWith(words[way]);
  const reads = present(
    ways.find((way) => words[way] !== '' && isSaid(way)) ?? ways.find(isSaid),
    'way to read',
  );
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

/** Kinds of programs that can be loaded, for a refusal. */
const LOADED_KINDS = [
  ...KINDS,
  'freplace',
  'kprobe.multi entry',
  'kprobe.multi return',
  'kprobe.multi session',
  ...BY_ITSELF,
];

/** An extension is written like a program of an image, which has no such kind. */
function readProgram(id: number, text: string): BpfProgram {
  const extension = /^freplace\b/.test(text);
  if (/ shim\b/.test(text)) throw new InputError(`the kernel alone makes a shim, not "${text}"`);
  if (/ struct_ops\b/.test(text))
    throw new InputError(`"${text}": programs of struct_ops members have images, and no map in sequences`);
  const parsed = parseProgram(extension ? text.replace('freplace', 'fentry') : text, LOADED_KINDS);
  const kind = extension ? 'freplace' : parsed.kind;
  return { ...plainProgram(id), ...parsed, kind, cookie: fromHex(parsed.cookie) };
}
