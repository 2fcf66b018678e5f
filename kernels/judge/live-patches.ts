import type { Promises } from '../../model/contract/promises.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';
import type { Seen } from '../history/seen.ts';

/** A live patch whose handler was not seen. */
interface SilentPatch {
  readonly event: Seen;
  /** Clients that were there before it: their events come later. */
  readonly older: readonly string[];
}

/**
 * The handler of a live patch is the kernel's own, and tells nobody that it has run: that its replacement runs says so. Where
 * it ran among the handlers is not observed: its event is put where it is promised, before those of older clients. That of
 * a client's ops which stands for a live patch is there already.
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
  return clients.flatMap(({ who }, i) =>
    flags[who] === LIVE_PATCH_FLAGS
      ? [{ event: { kind: 'ftrace', who, fn }, older: clients.slice(0, i).map((client) => client.who) }]
      : [],
  );
}

function withPatch(events: readonly Seen[], { event, older }: SilentPatch): Seen[] {
  const place = events.findIndex(
    ({ kind, who, fn }) => kind === 'replacement' || (fn === event.fn && older.includes(who)),
  );
  return events.toSpliced(place, 0, event);
}
