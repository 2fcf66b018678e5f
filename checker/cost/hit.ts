import type { Action } from '../../model/client/all.ts';
import { eventLinked } from '../../model/client/bpf-link-create-perf-event.ts';
import { tracepointLoad } from '../../model/client/bpf-prog-load.ts';
import { eventOn } from '../../model/client/perf-event-open.ts';
import { crashText } from '../../model/core/crash-words.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { CodeCost } from '../../model/cost/call-cost.ts';
import { costOfCall } from '../../model/cost/call-cost.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { apply } from '../../model/step.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import { plainProgram, probeProgram } from '../../model/trampoline/program.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';

/**
 * The extra cost of one call of a function over the same call untraced, without its body: a program that modifies the
 * return value keeps that from running.
 */
export interface HitCost extends CodeCost {
  /** Functions in C that are called, and how often; their instructions are not modelled. */
  readonly cFunctions: Readonly<Record<string, number>>;
}

/** One thing that can be attached to a function, by its name in selftests/bpf/benchs/bench_trigger.c. */
export interface HitKind {
  readonly name: string;
  /** A client's calls for it; undefined: it is not modelled. */
  readonly attach: readonly Action[] | undefined;
  /** The call that hits it: of the function, unless it is a tracepoint. */
  readonly hits?: string;
}

const TRACED = 'f1';
/** The tracepoint that the benchmark hits, bpf_trigger_tp(int nonce) of the selftests. */
const TRIGGER = declareTracepoint('bpf_trigger_tp', 's32');
/** The functions of the kernel: those that `-all` attaches to. */
const FUNCTIONS = Array.from({ length: 64 }, (_, i) => `f${i + 1}`);

export const HIT_KINDS: readonly HitKind[] = [
  { name: 'fentry', attach: single('fentry') },
  { name: 'fentry-multi', attach: multi('fentry', [TRACED]) },
  { name: 'fentry-multi-all', attach: multi('fentry', FUNCTIONS) },
  { name: 'fexit', attach: single('fexit') },
  { name: 'fexit-multi', attach: multi('fexit', [TRACED]) },
  { name: 'fmodret', attach: single('fmod_ret') },
  { name: 'fmodret-multi', attach: multi('fmod_ret', [TRACED]) },
  {
    name: 'kprobe',
    attach: [{ do: 'register_kprobe', kprobe: 'kprobe#1', ip: TRACED, post: false }],
  },
  { name: 'kprobe-multi', attach: probe('entry') },
  {
    name: 'kretprobe',
    attach: [
      {
        do: 'register_kretprobe',
        kretprobe: 'kretprobe#1',
        ip: TRACED,
        maxactive: 0,
        entryHandler: false,
      },
    ],
  },
  { name: 'kretprobe-multi', attach: probe('return') },
  { name: 'rawtp', attach: rawTracepoint(), hits: TRIGGER.name },
  { name: 'tp', attach: perfEvent(), hits: TRIGGER.name },
];

function rawTracepoint(): Action[] {
  return [
    { do: 'BPF_PROG_LOAD', program: probeProgram(1), target: '', probe: 'raw_tp', returns: ZERO },
    { do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1, tracepoint: TRIGGER.name },
  ];
}

function perfEvent(): Action[] {
  return [tracepointLoad(1, 'tp'), eventOn(1, TRIGGER.name), eventLinked(1)];
}

function single(kind: TracingKind): Action[] {
  return [load(kind, false), link([])];
}

function multi(kind: TracingKind, targets: readonly FunctionName[]): Action[] {
  return [load(kind, true), link(targets)];
}

function probe(which: 'entry' | 'return'): Action[] {
  return [
    { do: 'BPF_PROG_LOAD', program: probeProgram(1), target: '', probe: which, returns: ZERO },
    link([TRACED]),
  ];
}

/** The benchmark's program for fmod_ret returns an errno, and the function does not run. */
function load(kind: TracingKind, isMulti: boolean): Action {
  return {
    do: 'BPF_PROG_LOAD',
    program: { ...plainProgram(1), kind, multi: isMulti },
    target: isMulti ? '' : TRACED,
    probe: '',
    returns: kind === 'fmod_ret' ? fromNumber(-22) : ZERO,
  };
}

function link(targets: readonly FunctionName[]): Action {
  return { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets };
}

/** Whether a kind of hit is one of the kernel's design of multi links. */
export function ofMultiLinks({ name }: HitKind): boolean {
  return /^f.*-multi/.test(name);
}

/** The functions' signature, unless another is given. */
const ONE_ARGUMENT = 'u64 -> u64';

/** The cost of a hit in a kernel without mitigations; undefined: the kernel does not have it. */
export function hitCost(
  profile: string,
  { attach, hits = TRACED }: HitKind,
  signature = ONE_ARGUMENT,
): HitCost | undefined {
  const k = booted(profile, signature);
  if (attach === undefined || attach.some((action) => apply(k, action).errno !== 0)) return undefined;
  const call = { ...CALL, fn: hits };
  const plain = costOfCall(booted(profile, signature), call);
  const traced = costOfCall(k, call);
  if (traced.call.fault !== undefined)
    throw new Error(`a traced call in ${profile}: ${crashText(traced.call.fault)}`);
  return { ...lessThan(outside(traced.cost), outside(plain.cost)), cFunctions: kernels(traced.cost) };
}

const CALL = {
  do: 'call',
  fn: TRACED,
  registers: Array.from({ length: 6 }, () => ZERO),
  stack: [],
} as const;

function booted(profile: string, signature: string): Kernel {
  const functions = FUNCTIONS.map((name, i) => tracedFunction(name, i + 1, signature));
  return bootKernel({ profile, boot: 'mitoff', functions, tracepoints: [TRIGGER] });
}

type CallCost = ReturnType<typeof costOfCall>['cost'];

function outside({ bodies, ...all }: CallCost): CodeCost {
  return lessThan(all, bodies);
}

function lessThan(a: CodeCost, b: CodeCost): CodeCost {
  return {
    instructions: a.instructions - b.instructions,
    reads: a.reads - b.reads,
    writes: a.writes - b.writes,
    calls: a.calls - b.calls,
    strayReturns: a.strayReturns - b.strayReturns,
  };
}

/** Functions of the kernel: no program, and no observer of a body. */
function kernels({ cFunctions }: CallCost): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(cFunctions).filter(([name]) => name !== 'body_hook' && !name.startsWith('prog#')),
  );
}

/** The kinds of hits of a kernel: those of multi links if it has a design of them, or the others. */
export function hitKindsOf(profile: string, which: 'of the design' | 'of the kernel'): readonly HitKind[] {
  const wanted = which === 'of the design';
  if (wanted && designOf(profileNamed(profile)) === undefined) return [];
  return HIT_KINDS.filter((kind) => ofMultiLinks(kind) === wanted);
}
