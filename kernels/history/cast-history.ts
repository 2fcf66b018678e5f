import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Action } from '../../model/client/all.ts';
import type { BpfLinkCreate } from '../../model/client/bpf-link-create.ts';
import { InputError } from '../../model/core/input-error.ts';
import { entry } from '../../model/core/present.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { isMisuse } from '../../model/misuse.ts';
import { apply } from '../../model/step.ts';
import { goneAddress, isThere } from '../../model/text/module.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf, hitOf } from '../../properties/observed/sample-call.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { callLine, NO_PLACE, OP, OTHER_FUNCTIONS, op } from '../wire/numbers.ts';
import { readOp } from './answer.ts';
import type { Cast } from './cast.ts';
import { castOf } from './cast.ts';
import { brokenCall } from './model-branch.ts';

/** A history as the recorder is run it: its functions have players, and all its calls can be said. */
export interface CastHistory {
  readonly case: AttachCase;
  readonly cast: Cast;
}

/** What of a history can be run. */
export interface Sayable {
  /** Undefined: nothing of it. */
  readonly question: CastHistory | undefined;
  /** Calls that were left out, by why. */
  readonly leftOut: readonly string[];
  /** The model crashes in the next call, or when a function is called after it: that call is not run, unless it is last. */
  readonly dies: boolean;
}

const MISUSE = 'misuse: a call that no client makes';
const WITHOUT_ID =
  "a function of the kernel for a program of a module: the recorder's are in another, with other ids";
const LOADED_AGAIN = 'a module that is loaded again, maybe at its old addresses, which are still in a table';
const LOADED_BY_DEAD_FTRACE =
  'a module that is loaded when ftrace is dead, and keeps its calls of __fentry__';

/**
 * The calls of a history that the recorder can make, in order; functions that it has no player for, with their calls, go.
 * It ends before the model crashes, or with the call in which it does.
 */
export function sayable(
  c: AttachCase,
  end: 'before the crash' | 'to the crash' = 'before the crash',
): Sayable {
  const cast = castOf(c);
  const functions = c.functions.filter(({ name }) => cast.has(name));
  const tracepoints = c.tracepoints?.filter(({ name }) => cast.has(name)) ?? [];
  const stage = wordingOf({ case: c, cast });
  const leftOut: string[] = [];
  const actions: Action[] = [];
  if (functions.length + tracepoints.length === 0)
    return { question: undefined, leftOut: c.actions.map(() => OTHER_FUNCTIONS), dies: false };
  const k = bootKernel({ profile: c.profile, boot: 'default', functions, tracepoints });
  let dies = false;
  for (const action of c.actions) {
    const why = whyNot(k, action, stage);
    if (why !== undefined) leftOut.push(why);
    else {
      dies = apply(k, action).died !== undefined || diesExamined(k, functions, tracepoints);
      if (!dies || end === 'to the crash') actions.push(action);
      if (dies) break;
    }
  }
  const asked = { profile: c.profile, functions, ...(tracepoints.length > 0 && { tracepoints }), actions };
  return { question: actions.length === 0 ? undefined : { case: asked, cast }, leftOut, dies };
}

/** Calls every function that has text, as after a call of a history. */
function diesExamined(
  k: Kernel,
  functions: readonly TracedFunction[],
  tracepoints: readonly DeclaredTracepoint[],
): boolean {
  const calls = [...functions.filter(({ name }) => isThere(k, name)).map(lookAt), ...tracepoints.map(hitAt)];
  return calls.some((call) => brokenCall(apply(k, call)) !== undefined);
}

function whyNot(k: Kernel, action: Action, stage: Wording): string | undefined {
  const line = wireLine(action, stage);
  if (typeof line !== 'string') return line.why;
  if ('module' in action && k.text.modules[action.module] === undefined) return OTHER_FUNCTIONS;
  if (action.do === 'init_module' && isPointedTo(k, action.module)) return LOADED_AGAIN;
  if (action.do === 'init_module' && k.ftrace.disabled) return LOADED_BY_DEAD_FTRACE;
  if (action.do === 'BPF_LINK_CREATE' && isWithoutId(k, action)) return WITHOUT_ID;
  return isMisuse(k, action) ? MISUSE : undefined;
}

/** The kernel's types have ids in the BTF of every module; those of the recorder's module have none in another's. */
function isWithoutId({ bpf, text }: Kernel, { prog, targets }: BpfLinkCreate): boolean {
  const loaded = bpf.progs[prog];
  if (loaded?.program.multi !== true || loaded.btf === undefined) return false;
  const inModules = Object.values(text.modules).flatMap(({ functions }) => functions);
  return targets.some((fn) => text.sites[fn] !== undefined && !inModules.includes(fn));
}

/** Whether an address in the text of a module that was unloaded is still in a hash or a table. */
function isPointedTo({ ftrace, probes, bpf, text }: Kernel, module: string): boolean {
  const { functions, unloads } = entry(text.modules, module);
  const state = JSON.stringify([ftrace, probes, bpf]);
  const times = Array.from({ length: unloads }, (_, i) => i + 1);
  return functions.some((fn) => times.some((n) => state.includes(`"${goneAddress(fn, n)}`)));
}

/** The lines by which a function is examined after a step. */
export interface LookLines {
  readonly fn: TracedFunction;
  readonly entry: string;
  readonly call: string;
}

/** A call of each function with words of its own, after every step. */
const LOOK = 1;

export function wordingOf({ case: { profile, functions, tracepoints = [] }, cast }: CastHistory): Wording {
  return { profile, functions, tracepoints, cast };
}

/** The words that a function is examined with. */
export function lookAt(fn: TracedFunction): ReturnType<typeof callOf> {
  return callOf(fn, LOOK);
}

/** The words that a tracepoint is hit with after a step. */
function hitAt(tracepoint: DeclaredTracepoint): ReturnType<typeof hitOf> {
  return hitOf(tracepoint, LOOK);
}

/** Lines before the first step. */
function openingLines({ case: c, cast }: CastHistory): string[] {
  return c.functions.map((fn) => {
    const number = cast.get(fn.name);
    return fn.bpf ? targetLine(fn, number) : `x ${OP.BIND} ${number} ${fn.id}`;
  });
}

/** A BPF program is loaded: the bytes of what it returns and of its arguments, with a bit for those that are signed. */
function targetLine({ id, signature: { args, ret } }: TracedFunction, number: number | undefined): string {
  return ['g', number, id, ...[ret, ...args].map(({ size, signed }) => size + (signed ? SIGNED : 0))].join(
    ' ',
  );
}

const SIGNED = 256;

/** Makes the functions of a history ready; `ask` gives the answer to each line. */
export function open(question: CastHistory, ask: (lines: readonly string[]) => readonly string[]): void {
  const { functions } = question.case;
  for (const [i, line] of ask(openingLines(question)).entries()) {
    const { errno } = readOp(line);
    if (errno !== '0') throw new InputError(`the kernel has no function for ${functions[i]?.name}: ${errno}`);
  }
}

/** The line after which everything is off again. A kernel that hangs there is not compared; what is slower is not either. */
export const END = 'z';
export const END_SECONDS = 25;

/** Whether a function takes a direct call, once everything is off: it is registered, and taken off again. */
export function freeLines({ cast }: CastHistory, { name }: TracedFunction): FreeLines {
  return {
    before: [op('FTRACE_OPS', FRESH, 0, true), op('FILTER_IP', FRESH, cast.get(name) ?? NO_PLACE, 0, 0)],
    direct: op('DIRECT', FRESH, 1),
    after: [op('DIRECT_UNREGISTER', FRESH, 1, 1), op('RESET')],
  };
}

/** The lines around that which says so. */
export interface FreeLines {
  readonly before: readonly string[];
  readonly direct: string;
  readonly after: readonly string[];
}

/** The ops of a direct call that the driver itself uses at the end. */
const FRESH = 16;

/** The line of a call. */
export function ownLine(question: CastHistory, action: Action): string {
  const line = wireLine(action, wordingOf(question));
  if (typeof line !== 'string') throw new Error(`the recorder cannot say ${action.do}: ${line.why}`);
  return line;
}

/** Those of every function that has text: one of a module may be gone. */
export function lookLines(question: CastHistory, k: Kernel): LookLines[] {
  return lookLinesAt(
    question,
    question.case.functions.filter(({ name }) => isThere(k, name)),
  );
}

/** Those of these functions. */
export function lookLinesAt(question: CastHistory, functions: readonly TracedFunction[]): LookLines[] {
  return functions.map((fn) => ({
    fn,
    entry: `o ${question.cast.get(fn.name)}`,
    call: callLine(lookAt(fn), wordingOf(question)),
  }));
}

/** A tracepoint that is hit after a step. */
export interface HitLine {
  readonly name: string;
  readonly call: ReturnType<typeof hitAt>;
  readonly line: string;
}

export function hitLines(question: CastHistory): HitLine[] {
  return (question.case.tracepoints ?? []).map((tracepoint) => {
    const call = hitAt(tracepoint);
    return { name: tracepoint.name, call, line: callLine(call, wordingOf(question)) };
  });
}
