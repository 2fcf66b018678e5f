import type { Action } from '../../../model/client/all.ts';
import { ALL_CALLS } from '../../../model/client/all.ts';
import { readObjectName } from '../../../model/core/object-name.ts';
import { CLIENT_TRAMPS } from '../../../model/text/space.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf, hitOf } from '../../../properties/observed/sample-call.ts';

/*
 * The calls that an exhaustive search makes: the examples of each call in scope, with every function, object and
 * trampoline of a small world in place of theirs.
 */

/** A small world: which calls its clients make, on what, and how many objects of each kind they have. */
export interface Scope {
  readonly calls: readonly Action['do'][];
  readonly functions: readonly TracedFunction[];
  readonly tracepoints: readonly DeclaredTracepoint[];
  /** Objects of each kind: `ops#1`, `ops#2`. */
  readonly objects: number;
  /** Calls that are made as they are: programs with options, calls with arguments. */
  readonly own: readonly Action[];
}

/** Calls on an ops: that of a plain client, of a direct call, of a user of function graph. */
const ON_AN_OPS: readonly Action['do'][] = [
  'ftrace_set_filter_ip',
  'ftrace_set_notrace',
  'ftrace_free_filter',
];

/** The kinds of ops that clients have, and the call by which each is attached. */
const OWNERS: readonly (readonly [ops: (n: string) => string, call: Action['do']])[] = [
  [(n) => `ops#${n}`, 'register_ftrace_function'],
  [(n) => `direct#${n}`, 'register_ftrace_direct'],
  [(n) => `gops#${n}.ops`, 'register_ftrace_graph'],
];

/** Every call of a scope, each once. */
export function alphabetOf(scope: Scope): Action[] {
  const examples = ALL_CALLS.flatMap((call) =>
    call.examples.filter(({ do: name }) => scope.calls.includes(name)),
  );
  const texts = examples
    .flatMap((example) => variants(example, scope))
    .map((action) => JSON.stringify(action));
  const all = [...tasks(scope), ...scope.own].map((action) => JSON.stringify(action));
  return [...new Set([...all, ...texts])].map((text) => JSON.parse(text) as Action);
}

/** Traced functions are called, and tracepoints hit. */
function tasks({ functions, tracepoints }: Scope): Action[] {
  return [
    ...functions.map((fn) => callOf(fn, fn.nesting === 'rec' ? 1 : 0)),
    ...tracepoints.map((tp) => hitOf(tp, 0)),
  ];
}

/** An example with other names in place of its own. */
function variants(example: Action, scope: Scope): Action[] {
  if (example.do === 'call' || example.do === 'fail') return [];
  return namesOf(JSON.stringify(example), scope).map((text) => JSON.parse(text) as Action);
}

/** One name after the other is replaced by each that the scope has of its kind. */
function namesOf(text: string, scope: Scope): string[] {
  const found = /"(f1|f2|tp1|my_tramp\d|ops#1|[a-z]+#1)"|"(prog)":1\b|"id":1\b/.exec(text);
  if (found === null) return [text];
  const [name] = found;
  const head = text.slice(0, found.index);
  const tail = text.slice(found.index + name.length);
  return namesOf(tail, scope).flatMap((rest) =>
    replacements(name, text, scope).map((replacement) => `${head}${replacement}${rest}`),
  );
}

function replacements(
  name: string,
  text: string,
  { calls, functions, tracepoints, objects }: Scope,
): string[] {
  const numbers = Array.from({ length: objects }, (_, i) => String(i + 1));
  if (/^"f\d"$/.test(name)) return functions.map((fn) => JSON.stringify(fn.name));
  if (name === '"tp1"') return tracepoints.map((tp) => JSON.stringify(tp.name));
  if (name.startsWith('"my_tramp'))
    return CLIENT_TRAMPS.slice(0, objects).map((addr) => JSON.stringify(addr));
  if (name.endsWith(':1')) return numbers.map((n) => name.replace(/1$/, n));
  const { kind } = readObjectName(JSON.parse(name) as string);
  const onAnOps = ON_AN_OPS.some((call) => text.startsWith(`{"do":"${call}"`));
  const owners = OWNERS.filter(([, call]) => calls.includes(call));
  return numbers.flatMap((n) => (onAnOps ? owners.map(([ops]) => `"${ops(n)}"`) : [`"${kind}#${n}"`]));
}
