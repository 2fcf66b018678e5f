import type { KernelView } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
import { isJump } from '../../properties/observed/kprobe-jumps.ts';

/** One change of an action: where, before, after. */
export interface StateChange {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

/** The sign of a missing value. */
export const NOTHING = '–';

/** Only changes, in the order of a reader's interest: text, images, tables, ftrace itself. */
export function delta(before: KernelView, after: KernelView): StateChange[] {
  return [
    ...changes(sitesOf(before), sitesOf(after)),
    ...changes(probedIn(before), probedIn(after)),
    ...changes(imagesOf(before), imagesOf(after)),
    ...changes(before.ftrace.directFunctions, after.ftrace.directFunctions, (ip) => `direct[${ip}]`),
    ...changes(tracepointsOf(before), tracepointsOf(after)),
    ...changes(stateOf(before), stateOf(after)),
  ];
}

function changes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  name: (key: string) => string = (key) => key,
): StateChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const from = before[key] ?? NOTHING;
    const to = after[key] ?? NOTHING;
    return from === to ? [] : [{ subject: name(key), from, to }];
  });
}

/** The changes of one kernel, with its call sites named as in another, where they may lie elsewhere in a function. */
export function namedAsIn(to: KernelView, from: KernelView, changes: readonly StateChange[]): StateChange[] {
  const names = new Map(Object.keys(from.text.sites).map((fn) => [siteName(from, fn), siteName(to, fn)]));
  return changes.map((change) => ({ ...change, subject: names.get(change.subject) ?? change.subject }));
}

export function siteName(k: KernelView, fn: string): string {
  return `${fn}+0x${k.text.siteOffset.toString(16)}`;
}

/** Call sites. The targets of the calls in ftrace's entry code follow from the list of ops, and are left out. */
function sitesOf(k: KernelView): Record<string, string> {
  return Object.fromEntries(
    Object.entries(k.text.sites).map(([fn, bytes]) => [
      siteName(k, fn),
      describeBranch(k, bytes, siteAddress(k, fn)),
    ]),
  );
}

/** Instructions of bodies that kprobes have changed: a breakpoint, or the jump of the optimiser. */
function probedIn(k: KernelView): Record<string, string> {
  return Object.fromEntries(
    Object.entries(k.text.probed).flatMap(([ip, bytes]) => {
      if (bytes.startsWith(INT3)) return [[ip, 'int3']];
      return isJump(k, ip) ? [[ip, 'jmp to its detour']] : [];
    }),
  );
}

/** BPF images, with their state. */
function imagesOf(k: KernelView): Record<string, string> {
  return Object.fromEntries(
    Object.entries(k.bpf.images).map(([name, { state, callOrig }]) => [
      name,
      callOrig ? `${state}, CALL_ORIG` : state,
    ]),
  );
}

/** Of a tracepoint its static key, the target of its static call, and its array of probes; of several, by name. */
function tracepointsOf(k: KernelView): Record<string, string> {
  const { points = {}, arrays = {} } = k.tracepoints ?? {};
  const several = Object.keys(points).length > 1;
  return Object.fromEntries(
    Object.entries(points).flatMap(([name, { key, call, funcs }]) => {
      const tp = several ? name : 'tp';
      const probes = arrays[funcs]?.map(({ func, data }) => `${func}(${data})`) ?? [];
      return [
        [`${tp}->key`, key ? 'on' : 'off'],
        [`${tp}->call`, call],
        [`${tp}->funcs`, probes.join(', ') || NOTHING],
      ];
    }),
  );
}

/** The values that rarely change. */
function stateOf(k: KernelView): Record<string, string> {
  return {
    ftrace: k.ftrace.disabled ? 'dead' : k.ftrace.enabled ? 'enabled' : 'disabled',
    ...Object.fromEntries(
      Object.entries(k.bpf.trampolines)
        .filter(([, { flags }]) => flags.SHARE_IPMODIFY)
        .map(([target]) => [`tr(${target})`, 'SHARE_IPMODIFY']),
    ),
  };
}
