import type { AttachBreach, Past } from '../../checker/sequences/played.ts';
import type { Action } from '../../model/client/all.ts';
import { kprobeNamed } from '../../model/client/switched-probe.ts';
import type { EventKind } from '../../model/core/event.ts';
import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import { KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS } from '../../model/ftrace/arm-kprobe.ts';
import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import { FTRACE_OPS_FL_IPMODIFY } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { ToldPlace, ToldValue } from '../../properties/finding/value.ts';

/*
 * Possible causes of a breach, evaluated on its sequence: which client did what before, and which routine lacked
 * memory.
 */

/** The steps up to a breach, and the step that shows it. */
export type Led = Pick<AttachBreach, 'history' | 'moment'>;

/** The steps up to and including the one that shows the breach, each with the kernel before and after it. */
export function stepsOf({ history, moment }: Led): (Past & { readonly after: KernelView })[] {
  const all = [...history, moment];
  return all.map((past, i) => ({ ...past, after: all[i + 1]?.before ?? moment.after }));
}

/** The breach as if its last step had not happened. */
export function withoutLast(breach: Led): Led {
  const last = breach.history.at(-1);
  const history = breach.history.slice(0, -1);
  return last === undefined
    ? breach
    : { history, moment: { ...breach.moment, ...last, after: breach.moment.before } };
}

/** An injected failure that has occurred, and its action. */
export interface Failure extends InjectedFault {
  readonly action: Action;
}

/** The failures that have occurred, oldest first. */
export function failuresOf(breach: Led): Failure[] {
  return stepsOf(breach).flatMap(({ before, action, after }) =>
    before.fault !== null && after.fault === null ? [{ ...before.fault, action }] : [],
  );
}

/** Whether an action of this kind lacked memory, or a poke, in one of these routines; by default in any. */
export function hasFailed(
  breach: Led,
  actions: readonly Action['do'][],
  what: InjectedFault['what'],
  routines?: readonly string[],
): boolean {
  return failuresOf(breach).some(
    (failure) =>
      failure.what === what &&
      actions.includes(failure.action.do) &&
      (routines === undefined || routines.includes(failure.where)),
  );
}

/** The same for the step that shows the breach. */
export function failsHere(breach: Led, routines?: readonly string[]): boolean {
  const { before, after } = breach.moment;
  const { fault } = before;
  return fault !== null && after.fault === null && (routines?.includes(fault.where) ?? true);
}

/** Unregistering a kprobe or kretprobe, a client's or that of a perf event. */
export const KPROBE_LEAVES = ['unregister_kprobe', 'unregister_kretprobe', 'close(perf_event)'] as const;

/** Arming a kprobe, a client's or that of a perf event. */
export const KPROBE_ARMS = [
  'register_kprobe',
  'register_kretprobe',
  'enable_kprobe',
  'perf_event_open(kprobe)',
] as const;

/** The calls that unregister a user of function graph. */
const LEAVES_GRAPH: readonly Action['do'][] = [
  'unregister_ftrace_graph',
  'unregister_fprobe',
  'unregister_kretprobe',
  'close(link)',
  'delete_module',
];

/** What ftrace_shutdown_subops() needs memory for: the hashes of the users that are left. */
const HASHES_OF_THE_REST = [
  'append_hashes',
  'intersect_hashes',
  'rebuild_hashes',
  '__ftrace_hash_move_and_update_ops',
];

/** A user of function graph could not leave its manager for lack of memory: it is an enabled subops still. */
export function couldNotLeaveTheManager(breach: Led): boolean {
  return hasFailed(breach, LEAVES_GRAPH, 'allocation', HASHES_OF_THE_REST);
}

/** A probe that is registered, unregistered or disabled, by a client or for its perf event: by its name in the table of kprobes, and its function where known. */
export function kprobeOf(action: Action): { readonly probe: string; readonly ip?: Ip } | undefined {
  if (action.do === 'register_kprobe') return { probe: action.kprobe, ip: action.ip };
  if (action.do === 'unregister_kprobe') return { probe: action.kprobe };
  if (action.do === 'disable_kprobe') return { probe: kprobeNamed(action).kprobe };
  if (action.do === 'register_kretprobe') return { probe: `${action.kretprobe}.kp`, ip: action.ip };
  if (action.do === 'unregister_kretprobe') return { probe: `${action.kretprobe}.kp` };
  if (action.do === 'close(perf_event)') return { probe: action.event };
  if (action.do === 'perf_event_open(kprobe)')
    return { probe: action.on === 'kretprobe' ? `${action.event}.kp` : action.event, ip: action.ip };
  return undefined;
}

/** Whether one of the two ops of kprobes traces a function. */
export function isArmed(k: KernelView, ip: Ip): boolean {
  return [KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS].some((ops) => opsReferencesIp(k, ops, ip));
}

/** Whether a kprobe is in the table. */
export function isInTable({ probes }: KernelView, probe: string): boolean {
  return Object.values(probes.kprobeTable).some((site) => site.probes.includes(probe));
}

/** A kprobe with a post_handler has joined one without on a function: its own ops does not trace it. */
export function hasJoinedAnother(breach: Led, ip: (ip: Ip) => boolean = () => true): boolean {
  return stepsOf(breach).some(({ action, before, outcome }) => {
    if (action.do !== 'register_kprobe' || !action.post || outcome.errno !== 0 || !ip(action.ip))
      return false;
    return before.probes.kprobeTable[action.ip]?.post === false;
  });
}

/** Whether a registered ops on a function may set IPMODIFY; by default any ops. */
export function isPatched(k: KernelView, ip: Ip, among: readonly string[] = k.ftrace.opsList): boolean {
  return k.ftrace.opsList.some((name) => {
    const ops = k.ftrace.ops[name];
    return (
      among.includes(name) &&
      ops !== undefined &&
      (ops.flags & FTRACE_OPS_FL_IPMODIFY) !== 0 &&
      opsReferencesIp(k, name, ip)
    );
  });
}

/** The function that a kprobe in the table is on. */
export function functionOf({ probes }: KernelView, probe: string): string | undefined {
  return Object.keys(probes.kprobeTable).find((ip) => entry(probes.kprobeTable, ip).probes.includes(probe));
}

/** A kprobe was unregistered, and ftrace, dead by then, kept it armed: it is in the table still; by default on any function. */
export function hasKeptAKprobe(breach: Led, on: (ip: Ip) => boolean = () => true): boolean {
  return stepsOf(breach).some(({ action, after }) => {
    const own = KPROBE_LEAVES.some((call) => call === action.do) ? kprobeOf(action) : undefined;
    if (own === undefined || !after.ftrace.disabled) return false;
    const ip = functionOf(after, own.probe) ?? functionOf(after, `${own.probe}.kp`);
    return ip !== undefined && on(ip);
  });
}

/** Such a kprobe, with its address, is what a call enables or disables. */
export function isKeptByADeadFtrace(breach: Led, does: 'enable_kprobe' | 'disable_kprobe'): boolean {
  const { before, action } = breach.moment;
  if (action.do !== does || !before.ftrace.disabled) return false;
  const ip = functionOf(before, kprobeNamed(action).kprobe);
  return ip !== undefined && hasKeptAKprobe(breach, (kept) => kept === ip);
}

/** A link has a function twice. */
export function namesTwice(targets: readonly string[]): boolean {
  return new Set(targets).size < targets.length;
}

/** Whether function graph has told it to a user. */
export function isOfGraph({ kind }: { readonly kind: EventKind }): boolean {
  return kind === 'graph entry' || kind === 'graph exit';
}

/** Whether a place of a state is this one. */
export function isPlace(place: ToldPlace, ...keys: readonly string[]): boolean {
  return place.length === keys.length && place.every((key, i) => key === keys[i]);
}

/** The same for all places below it. */
export function isBelow(place: ToldPlace, ...keys: readonly string[]): boolean {
  return isPlace(place.slice(0, keys.length), ...keys);
}

/** A place that was empty, or is empty. */
export function isAbsent(value: ToldValue): boolean {
  return typeof value === 'object' && value !== null && 'is' in value && value.is === 'absent';
}

/** A direct call is in the hash before, and not after. */
export function isDestroyed(before: KernelView, after: KernelView, ip: Ip): boolean {
  return before.ftrace.directFunctions[ip] !== undefined && after.ftrace.directFunctions[ip] === undefined;
}

/** direct_ops has left the list of ops. */
export function directOpsHasLeft(before: KernelView, after: KernelView): boolean {
  return before.ftrace.opsList.includes('direct_ops') && !after.ftrace.opsList.includes('direct_ops');
}

/** unregister_ftrace_direct(ip, addr) was refused, but removed an entry or unregistered direct_ops. */
export function hasDestroyedAnEntry(breach: Led): boolean {
  return stepsOf(breach).some(
    ({ action, before, after, outcome }) =>
      action.do === 'unregister_ftrace_direct(ip)' &&
      outcome.errno !== 0 &&
      (isDestroyed(before, after, action.ip) || directOpsHasLeft(before, after)),
  );
}

/** Whether a client is a program, which is identified by its number. */
export function isProgram(who: string): boolean {
  return who.startsWith('prog#');
}

/** The number of a program: `prog#3`. */
export function programNumber(who: string): number {
  return isProgram(who) ? Number(who.slice('prog#'.length)) : 0;
}

/**
 * __disarm_kprobe_ftrace() warns, and the address may have been armed through another ops: it has got a post_handler
 * since, or a failure or the death of ftrace came between.
 */
export function isDisarmedByAnother(breach: Led): boolean {
  const warns = breach.moment.outcome.warnings.some(
    ({ is }) => is === 'kprobe ops not unregistered' || is === 'kprobe not disarmed',
  );
  return warns && isArmedOtherwise(breach);
}

function isArmedOtherwise(breach: Led): boolean {
  return stepsOf(breach).some(
    ({ before, action }) => action.do === 'fail' || before.ftrace.disabled || hasPostSince(before),
  );
}

function hasPostSince({ probes, ftrace }: KernelView): boolean {
  const armed = ftrace.ops[KPROBE_IPMODIFY_OPS]?.filter ?? [];
  return Object.entries(probes.kprobeTable).some(
    ([ip, { post, disabled }]) => post && !disabled && !armed.includes(ip),
  );
}
