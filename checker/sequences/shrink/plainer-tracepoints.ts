import type { Action } from '../../../model/client/all.ts';
import { present } from '../../../model/core/present.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import { PROBES } from '../../../model/tracepoint/probe-functions.ts';
import { hitOf } from '../../../properties/observed/sample-call.ts';
import type { AttachCase } from '../attach-case.ts';

/** The plainest: three arguments, one of them narrow. */
const PLAIN = TRACEPOINTS.find(({ name }) => name === 'xdp_exception')!;

/**
 * The sequence without an unused tracepoint, with the simplest in place of one, or with fewer functions as probes.
 */
export function withPlainerTracepoints(c: AttachCase): AttachCase[] {
  const { tracepoints = [], actions } = c;
  if (tracepoints.length === 0) return [];
  const text = JSON.stringify(actions);
  const plainer = tracepoints.flatMap(({ name }, i) => {
    const others = tracepoints.toSpliced(i, 1);
    if (!text.includes(`"${name}"`))
      return others.length + c.functions.length > 0 ? [{ ...c, tracepoints: others }] : [];
    if (name === PLAIN.name) return [];
    const renamed = JSON.parse(text.replaceAll(`"${name}"`, `"${PLAIN.name}"`)) as AttachCase['actions'];
    const hits = renamed.map((action) => (isHit(action) ? hitOf(PLAIN, 0) : action));
    const kept = others.filter((other) => other.name !== PLAIN.name);
    return [{ ...c, tracepoints: [PLAIN, ...kept], actions: kept.length > 0 ? renamed : hits }];
  });
  return [withOneProbeFunction(c), ...plainer];
}

function isHit(action: Action): boolean {
  return action.do === 'call' && action.fn === PLAIN.name;
}

/** One function for all probes, which their data distinguishes. */
function withOneProbeFunction(c: AttachCase): AttachCase {
  const names = new Map<string, string>();
  const dataOf = (probe: string) => {
    if (!names.has(probe)) names.set(probe, `data#${names.size + 1}`);
    return present(names.get(probe), probe);
  };
  const actions = c.actions.map((action) =>
    'func' in action ? { ...action, func: PROBES[0], data: dataOf(`${action.func} ${action.data}`) } : action,
  );
  return { ...c, actions };
}
