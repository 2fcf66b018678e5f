import type { Action } from '../../../model/action.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { isCalledBy, tracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';
import { callOf } from '../draw.ts';
import { PLAIN_TYPES } from './plainness.ts';

/** The sequence without a function that nobody mentions, with one in the place of another, or of a plainer type. */
export function withPlainerFunctions(c: AttachCase): AttachCase[] {
  return c.functions.flatMap((fn, i) => {
    const others = c.functions.filter((other) => other !== fn);
    const isFixed = isCalledBy(others, fn.name);
    return [
      ...(others.length > 0 && !mentions(c, fn.name) ? [{ ...c, functions: others }] : []),
      ...others.map((other) => withName({ ...c, functions: others }, fn.name, other)),
      ...(isFixed ? [] : PLAIN_TYPES.map((type) => withType(c, i, type))),
    ];
  });
}

function mentions({ actions }: AttachCase, name: string): boolean {
  return JSON.stringify(actions).includes(`"${name}"`);
}

/** One function gets another type, and no name that stands for calls of its own. */
function withType(c: AttachCase, i: number, type: string): AttachCase {
  const old = c.functions[i]!;
  const plain = tracedFunction(old.nesting === 'none' ? old.name : `p${i}`, old.id, type);
  return withName({ ...c, functions: c.functions.with(i, plain) }, old.name, plain);
}

/** Whatever was said of one function is said of another; who names a function twice names it once. */
function withName(c: AttachCase, old: string, fn: TracedFunction): AttachCase {
  const text = JSON.stringify(c.actions).replaceAll(`"${old}"`, `"${fn.name}"`);
  const actions = (JSON.parse(text) as Action[]).map((action): Action => {
    if (action.do === 'call' && action.fn === fn.name) return callOf(fn, 0);
    if (action.do === 'register_fprobe_ips') return { ...action, ips: [...new Set(action.ips)] };
    return action.do === 'BPF_LINK_CREATE' ? { ...action, targets: [...new Set(action.targets)] } : action;
  });
  return { ...c, actions };
}
