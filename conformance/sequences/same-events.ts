import { compareText } from '../../model/core/text-order.ts';
import type { Lab } from './lab.ts';
import { isProbe } from './programs.ts';
import type { RecordedSequenceEvent } from './record.ts';

/**
 * How to compare the order of events. With `as set`, adjacent handlers of function graph, fprobes and kprobe.multi
 * may be in any order: it depends on what ran before in the boot.
 */
export type EventOrder = 'exact' | 'as set';

/** The program in each slot. */
type Slots = Pick<Lab, 'inSlot'>;

/** Fields of an event, in the order in which they are printed. */
export const EVENT_FIELDS = ['h', 'k', 't', 'id', 'i', 'fn', 'a', 'ret', 'cookie', 'ip', 'retip'] as const;

/** The first difference between two lists of events; undefined when there is none. */
export function firstDifference(
  kernel: readonly RecordedSequenceEvent[],
  model: readonly RecordedSequenceEvent[],
): number | undefined {
  const most = Math.max(kernel.length, model.length);
  for (let i = 0; i < most; i++) if (!isSameEvent(kernel[i], model[i])) return i;
  return undefined;
}

function isSameEvent(a: RecordedSequenceEvent | undefined, b: RecordedSequenceEvent | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  for (const field of EVENT_FIELDS) if (!isSameField(a[field], b[field])) return false;
  return true;
}

function isSameField(
  a: RecordedSequenceEvent[keyof RecordedSequenceEvent],
  b: RecordedSequenceEvent[keyof RecordedSequenceEvent],
): boolean {
  if (a === b) return true;
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((word, i) => word === b[i]);
}

/**
 * A recorded event without what depends on the build: sizes of functions and names of modules. Also without the
 * registers logged by a kprobe.multi program that are neither arguments nor return value: the model's event at that
 * place gives their number.
 */
export function comparable(
  lab: Slots,
  event: RecordedSequenceEvent,
  model: RecordedSequenceEvent | undefined,
): RecordedSequenceEvent {
  const { a, ip, retip } = event;
  if (retip?.startsWith('lab_repl+') === true) return { ...event, retip: 'replacement' };
  const named = ip?.includes('/') === true ? { ...event, ip: ip.slice(0, ip.indexOf('/')) } : event;
  if (model === undefined || !isOfProbe(lab, event)) return named;
  const { a: _, ret, ...rest } = named;
  const words = Array.isArray(a) && Array.isArray(model.a) ? a.slice(0, model.a.length) : a;
  return {
    ...rest,
    ...(words === undefined || model.a === undefined ? {} : { a: words }),
    ...(ret === undefined || model.ret === undefined ? {} : { ret }),
  };
}

function isOfProbe(lab: Slots, { h, id }: RecordedSequenceEvent): boolean {
  const program = h === 'bpf' && id !== undefined ? lab.inSlot.get(id) : undefined;
  return program !== undefined && isProbe(program.kind);
}

/** Events sorted within the group, whatever their order. */
export function inOrder(
  lab: Slots,
  events: readonly RecordedSequenceEvent[],
  order: EventOrder,
): readonly RecordedSequenceEvent[] {
  if (order === 'exact') return events;
  const ordered: RecordedSequenceEvent[] = [];
  let run: RecordedSequenceEvent[] = [];
  for (const event of events) {
    if (GROUP.includes(event.h) || isOfProbe(lab, event)) run.push(event);
    else {
      ordered.push(...sorted(run), event);
      run = [];
    }
  }
  return [...ordered, ...sorted(run)];
}

const GROUP: readonly string[] = ['fg_entry', 'fg_exit', 'fprobe_entry', 'fprobe_exit'];

function sorted(run: readonly RecordedSequenceEvent[]): RecordedSequenceEvent[] {
  return run
    .map((event) => [printEvent(event), event] as const)
    .sort(([a], [b]) => compareText(a, b))
    .map(([, event]) => event);
}

/** `bpf 3 =2 ret 0x0`, `kprobe 1 of f1 =1`. */
export function printEvent(event: RecordedSequenceEvent): string {
  const parts = EVENT_FIELDS.flatMap((field) => {
    const value = event[field];
    return value === undefined
      ? []
      : [`${PREFIX[field] ?? ''}${Array.isArray(value) ? value.join(',') : value}`];
  });
  return parts.join(' ');
}

const PREFIX: Readonly<Partial<Record<(typeof EVENT_FIELDS)[number], string>>> = {
  fn: 'of ',
  ret: 'ret ',
  cookie: 'cookie ',
  ip: 'ip ',
  retip: '→ ',
};
