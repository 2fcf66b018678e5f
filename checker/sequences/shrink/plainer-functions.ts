import type { Action, ActionOf } from '../../../model/client/all.ts';
import { item } from '../../../model/core/present.ts';
import { LISTINGS } from '../../../model/trampoline/listing.ts';
import { lsmKind } from '../../../model/trampoline/load-target.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { isCalledBy, targetProgram, tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf } from '../../../properties/observed/sample-call.ts';
import type { AttachCase } from '../attach-case.ts';
import { DEPTHS, PLAIN_TYPES } from './plain-types.ts';

/** The sequence without an unused function, with one in place of another, or of a simpler type. */
export function withPlainerFunctions(c: AttachCase): AttachCase[] {
  return c.functions.flatMap((fn, i) => {
    const others = c.functions.filter((other) => other !== fn);
    if (isCalledBy(others, fn.name)) return [];
    return [
      ...(hasSubject(c, others) && !mentions(c, fn.name) ? [{ ...c, functions: others }] : []),
      ...others.map((other) => withName({ ...c, functions: others }, fn.name, other)),
      ...plainerTypes(c, i),
      ...plainerTypesUncalled(c, i),
      ...(fn.nesting === 'none' ? [] : asRecursion(c)),
    ];
  });
}

/** Without a function of its own, a sequence is on tracepoints. */
function hasSubject({ tracepoints = [] }: AttachCase, others: readonly TracedFunction[]): boolean {
  return others.length + tracepoints.length > 0;
}

/** Of functions that call each other, one that calls itself is the plainest. */
function asRecursion(c: AttachCase): AttachCase[] {
  const rec = tracedFunction('rec', 1, item(PLAIN_TYPES, 0));
  const alone = c.functions.reduce<AttachCase>((attachCase, { name }) => withName(attachCase, name, rec), {
    ...c,
    functions: [rec],
  });
  return DEPTHS.map((depth) => ({
    ...alone,
    actions: alone.actions.map((action) => (action.do === 'call' ? callOf(rec, depth) : action)),
  }));
}

/** The role of a module that is loaded and unloaded may be taken by a second function: one call is of that. */
export function withAnotherFunction(c: AttachCase): AttachCase[] {
  if (c.functions.every(({ module }) => module === '')) return [];
  const other = tracedFunction('g9', 9, item(PLAIN_TYPES, 0));
  const functions = [...c.functions.map((fn) => ({ ...fn, module: '' })), other];
  const actions = c.actions.filter((action) => !('module' in action));
  return actions.flatMap((action, i) =>
    action.do === 'call' ? [{ ...c, functions, actions: actions.with(i, callOf(other, 0)) }] : [],
  );
}

function mentions({ actions }: AttachCase, name: string): boolean {
  return JSON.stringify(actions).includes(`"${name}"`);
}

/**
 * One function of a plainer type, outside of its module or in it, and on its list or a plainer one; a BPF program that
 * is none has one argument.
 */
function plainerTypes(c: AttachCase, i: number): AttachCase[] {
  const { module, bpf, listing } = item(c.functions, i);
  const modules = module === '' ? [''] : ['', module];
  const listings = LISTINGS.slice(0, LISTINGS.indexOf(listing) + 1);
  const kernel = PLAIN_TYPES.flatMap((type) =>
    modules.flatMap((name) =>
      listings.map((list) => withType(c, i, tracedFunction, type, { module: name, listing: list })),
    ),
  );
  return bpf ? [...kernel, withType(c, i, targetProgram, item(PLAIN_TYPES, 0), {})] : kernel;
}

/** One that calls others, where those are called in its place: it may be there for its type only. */
function plainerTypesUncalled(c: AttachCase, i: number): AttachCase[] {
  const { name, nesting } = item(c.functions, i);
  const leaves = nesting === 'none' ? [] : c.functions.filter((fn) => fn.nesting === 'none');
  return leaves.flatMap((leaf) => {
    const actions = c.actions.map((a) => (a.do === 'call' && a.fn === name ? callOf(leaf, 0) : a));
    return plainerTypes({ ...c, actions }, i);
  });
}

/** One function gets another type, and no name that implies its own calls. */
function withType(
  c: AttachCase,
  i: number,
  declare: typeof tracedFunction,
  type: string,
  marks: Partial<TracedFunction>,
): AttachCase {
  const old = item(c.functions, i);
  const plain = { ...declare(old.nesting === 'none' ? old.name : `g${i}`, old.id, type), ...marks };
  return withName({ ...c, functions: c.functions.with(i, plain) }, old.name, plain);
}

/** Every mention of one function becomes one of another; an action that names both names one. */
function withName(c: AttachCase, old: string, fn: TracedFunction): AttachCase {
  const text = JSON.stringify(c.actions).replaceAll(`"${old}"`, `"${fn.name}"`);
  const actions = (JSON.parse(text) as Action[]).map((action): Action => {
    if (action.do === 'call' && action.fn === fn.name) return callOf(fn, 0);
    if (action.do === 'BPF_PROG_LOAD' && action.target === fn.name) return ofItsKind(action, fn);
    if (action.do === 'register_fprobe_ips') return { ...action, ips: [...new Set(action.ips)] };
    return action.do === 'BPF_LINK_CREATE' ? { ...action, targets: [...new Set(action.targets)] } : action;
  });
  return { ...c, actions };
}

/** A program of BPF LSM has the kind that its hook gives it. */
function ofItsKind(load: ActionOf<'BPF_PROG_LOAD'>, { signature }: TracedFunction): Action {
  const { program } = load;
  return program.lsm === true ? { ...load, program: { ...program, kind: lsmKind(signature) } } : load;
}
