import type { ClientKind, Promises } from '../../model/contract/promises.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';
import type { Seen } from '../history/seen.ts';

/** A live patch whose handler was not seen. */
interface SilentPatch {
  readonly event: Seen;
  /** Clients on ftrace's list that came after it: their events come before. */
  readonly newer: readonly string[];
}

/** Those that ftrace calls, and no image does. */
const ON_THE_LIST: readonly ClientKind[] = [
  'ftrace',
  'graph',
  'kprobe',
  'kretprobe',
  'fprobe',
  'kprobe.multi',
];

/**
 * The handler of a live patch is the kernel's own, and does not say that it has run; that its replacement runs does. Where
 * it ran among the handlers is not observed: its event is put where it is promised, before those of older clients and of
 * programs. That of a client's ops in the place of a live patch is there already.
 */
export function withPatches(
  expected: ExpectedCall,
  { flags }: Pick<Promises, 'flags'>,
  events: readonly Seen[],
): Seen[] {
  const silent = allCalls(expected)
    .flatMap((call) => patchesOf(call, flags))
    .filter(({ event: { who } }) => !events.some((seen) => seen.kind === 'ftrace' && seen.who === who));
  const replaced = events.filter(({ kind }) => kind === 'replacement').length;
  return silent.slice(0, replaced).reduce(withPatch, [...events]);
}

function patchesOf({ fn, clients }: ExpectedCall, flags: Promises['flags']): SilentPatch[] {
  return clients.flatMap(({ who }, i) => {
    if (flags[who] !== LIVE_PATCH_FLAGS) return [];
    const newer = clients.slice(i + 1).filter(({ kind }) => ON_THE_LIST.includes(kind));
    return [{ event: { kind: 'ftrace', who, fn }, newer: newer.map((client) => client.who) }];
  });
}

/** The events of the call that is replaced come after those of the body that makes it. */
function withPatch(events: readonly Seen[], { event, newer }: SilentPatch): Seen[] {
  const replaced = events.findIndex(({ kind }) => kind === 'replacement');
  const first = events.slice(0, replaced).findLastIndex(({ kind }) => kind === 'body') + 1;
  const place = events.findIndex(({ who }, i) => i >= first && !newer.includes(who));
  return events.toSpliced(place, 0, event);
}
