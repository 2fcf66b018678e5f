import type { Action } from '../../../model/client/all.ts';
import { present } from '../../../model/core/present.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';

/** Objects that are numbered, by kind; functions without calls of their own are f1, f2, f3, BPF programs p1, p2. */
export const OBJECTS =
  /\b(ops|direct|gops|kprobe|kretprobe|fprobe|link|perf|my_tramp|my_probe|data)(#?)(\d+)/g;

/**
 * The same sequence with every object named in order of creation. Its effect is the same, unless the order of functions
 * decides it.
 */
export function renamed(c: AttachCase): AttachCase {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameFor = (kind: string, old: string, mark: string): string => {
    const known = names.get(old);
    if (known !== undefined) return known;
    const next = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, next);
    names.set(old, `${kind}${mark}${next}`);
    return `${kind}${mark}${next}`;
  };
  const text = JSON.stringify(c.actions).replace(OBJECTS, (old, kind: string, mark: string) =>
    nameFor(kind, old, mark),
  );
  return withFunctionNames(withProgramNumbers({ ...c, actions: JSON.parse(text) as Action[] }));
}

/** Programs are numbered from 1 by their first mention; 0 is none. */
function withProgramNumbers(c: AttachCase): AttachCase {
  const numbers = new Map<number, number>();
  const numberFor = (old: number): number => {
    if (old === 0) return 0;
    if (!numbers.has(old)) numbers.set(old, numbers.size + 1);
    return present(numbers.get(old), `${old}`);
  };
  const actions = c.actions.map((action): Action => {
    if (action.do === 'BPF_PROG_LOAD')
      return { ...action, program: { ...action.program, id: numberFor(action.program.id) } };
    return 'prog' in action ? { ...action, prog: numberFor(action.prog) } : action;
  });
  return { ...c, actions };
}

/**
 * Functions in the order of their first mention; those that call others keep their names, which say what they call.
 */
function withFunctionNames(c: AttachCase): AttachCase {
  if (c.functions.some(({ nesting }) => nesting !== 'none')) return c;
  const text = JSON.stringify(c.actions);
  const positionOf = ({ name }: { name: string }) => {
    const found = text.indexOf(`"${name}"`);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  };
  const functions = c.functions.toSorted((a, b) => positionOf(a) - positionOf(b));
  const nameOf = ({ bpf }: TracedFunction, i: number) => `${bpf ? 'p' : 'f'}${i + 1}`;
  const names = new Map(functions.map((fn, i) => [fn.name, nameOf(fn, i)]));
  const actions = text.replace(/"([a-z]\w*)"/g, (whole, name: string) => {
    const renamedTo = names.get(name);
    return renamedTo === undefined ? whole : `"${renamedTo}"`;
  });
  return {
    ...c,
    functions: functions.map((fn, i) => ({ ...fn, name: nameOf(fn, i), id: i + 1 })),
    actions: JSON.parse(actions) as Action[],
  };
}
