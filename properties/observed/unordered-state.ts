import { entry } from '../../model/core/present.ts';
import { functionOf } from '../../model/text/body-address.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import { INT3 } from '../../model/text/view.ts';
import type { SettledState } from './settled-state.ts';

/**
 * A settled kernel without what depends on the order of unrelated operations: images are named after their functions,
 * call sites name their targets instead of distances, pages have no address, and lists of unrelated entries are
 * sorted. The bytes of pages are omitted: they are relative to the page's address.
 */
export function unorderedState(state: SettledState): unknown {
  const { ftrace, fgraph, probes } = state;
  return withoutAddresses({
    ...state,
    ftrace: {
      ...ftrace,
      opsList: ftrace.opsList.toSorted(),
      directFuncs: ftrace.directFuncs.toSorted((a, b) => (a.addr < b.addr ? -1 : 1)),
      lostEntries: ftrace.lostEntries.toSorted(),
    },
    fgraph: { ...fgraph, subops: fgraph.subops.toSorted() },
    probes: { ...probes, freedPools: probes.freedPools.toSorted() },
  });
}

/** The same with all lists in order: two images for the same programs of a function are the same image. */
export function withoutAddresses(state: SettledState): unknown {
  const { text } = state;
  const sites = Object.entries(text.sites).map(([ip, bytes]) => [
    ip,
    describeBranch(state, bytes, siteAddress(state, ip)),
  ]);
  const pages = Object.keys(text.pages).map((name) => [name, {}]);
  return renamed(state, {
    ...state,
    text: {
      ...text,
      sites: Object.fromEntries(sites),
      probed: withoutTargets(state),
      pages: Object.fromEntries(pages),
    },
    probes: withoutPointers(state.probes),
  });
}

/** Pools of return hooks without who has which: their names say it. */
function withoutPointers({ newerPools: _, rethooks, ...probes }: SettledState['probes']): unknown {
  const pools = Object.entries(rethooks).map(([name, { user: _, ...pool }]) => [name, pool]);
  return { ...probes, rethooks: Object.fromEntries(pools) };
}

/** Instructions of bodies, without the target of a jump that takes their place. */
function withoutTargets({ text: { probed }, probes: { optimizer } }: SettledState): Record<string, string> {
  const ops = Object.values(optimizer?.ops ?? {});
  return Object.fromEntries(
    Object.entries(probed).map(([ip, bytes]) => {
      const isReplaced = ops.some((op) => op.ip !== ip && functionOf(op.ip) === functionOf(ip));
      return [ip, isReplaced && !bytes.startsWith(INT3) ? 'replaced' : bytes.slice(0, 2)];
    }),
  );
}

/**
 * The same with each image named after its function, or after the trampoline of many; the oldest of them `.0`; detours are
 * named after their kprobes, and the oldest pool of a user after it, also where another one was there when it was made.
 */
function renamed(settled: SettledState, state: object): unknown {
  const { images } = settled.bpf;
  const { optimizer, rethooks } = settled.probes;
  const names = new Map(
    Object.entries(optimizer?.ops ?? {}).map(([name, { ip }]) => [name, `detour of ${ip}`]),
  );
  const made = new Map<string, number>();
  for (const image of Object.keys(images).sort((a, b) => entry(images, a).serial - entry(images, b).serial)) {
    const { target, owner = target } = entry(images, image);
    const nth = made.get(owner) ?? 0;
    made.set(owner, nth + 1);
    names.set(image, `image of ${owner}.${nth}`);
  }
  const users = new Set<string>();
  for (const [pool, { user = pool }] of Object.entries(rethooks)) {
    if (!users.has(user)) names.set(pool, user);
    users.add(user);
  }
  return JSON.parse(
    JSON.stringify(state).replace(
      /(tramp|optprobe)#\d+|(?<=")[^"]+\.rh#\d+/g,
      (name) => names.get(name) ?? name,
    ),
  );
}

/**
 * What may differ, by path: our own counters; the recorded target of the inner calls, which their bytes show; and
 * what is set before each use.
 */
const HISTORY =
  /^(warnings|text\/pokes\b.*|bpf\/(serial|imagesMade|cgroup\/shimsMade|(images|trampolines)\/[^/]+\/(serial|oldImage|oldFlags\b.*)|design\/\w+\/[^/]+\/serial)|probes\/optimizer\/made|ftrace\/(opsMemory|graphEntryTests|savedTraceFunction|innerFunction|\w*[tT]raceOp))$/;

export function isHistory(path: string): boolean {
  return HISTORY.test(path);
}
