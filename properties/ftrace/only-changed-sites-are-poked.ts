import { callOf } from '../../model/client/all.ts';
import type { Ip } from '../../model/core/ids.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';
import { footprintOf } from '../observed/footprint.ts';
import { leavingShims } from '../observed/leaving-shims.ts';
import { tracingOps } from '../observed/tracing-ops.ts';

/**
 * I-19, second half. A direct call is exchanged by a detour through the list and back: two pokes, and one more for a
 * live patch that joins. A refusal half-way pokes there and back.
 */
export const onlyChangedSitesArePoked: AttachLaw = {
  name: 'ftrace/only-changed-sites-are-poked',
  sentence:
    'An operation pokes only call sites of its own functions: once per change, twice more to exchange a direct call, there and back if it is refused.',
  source: 'kernel/trace/ftrace.c  ftrace_replace_code, ftrace_test_record; __modify_ftrace_direct',
  witness: 'a call site poked',
  judge: (moment) => {
    if (!isAlive(moment)) return 'not applicable';
    const { before, after } = moment;
    let own: readonly string[] | undefined;
    let witness = false;
    for (const ip in after.text.sites) {
      const pokes = (after.text.pokes[ip] ?? 0) - (before.text.pokes[ip] ?? 0);
      if (pokes === 0) continue;
      witness = true;
      own ??= functionsOf(moment);
      const byAction = own.includes(ip) || isStale(moment, ip) ? pokesMost(moment, ip) : 0;
      const most = byAction + pokesOfShims(moment, ip);
      if (pokes > most)
        return { is: 'pokes-differ', action: moment.action.do, ip, expected: most, observed: pokes };
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** Each shim that leaves its hook meanwhile, in a work item, exchanges the image or takes it off. */
function pokesOfShims({ before, after }: Moment, ip: Ip): number {
  return 3 * Math.max(0, leavingShims(before, ip) - leavingShims(after, ip));
}

/** A site that an ops traces, perhaps for no client. */
function isStale({ before, after, faults }: Moment, ip: Ip): boolean {
  return mayHaveCaused('filterIsStale', faults) && [before, after].some((k) => tracingOps(k, ip).length > 0);
}

/** The functions that an action concerns. */
function functionsOf({ promised, before, after, action }: Moment): readonly string[] {
  const all = Object.keys(after.text.sites);
  const footprint = footprintOf(promised, before, action);
  return action.do === 'call' || footprint === undefined ? [] : (footprint.functions ?? all);
}

function pokesMost({ before, after, action, outcome }: Moment, ip: Ip): number {
  const old = before.ftrace.directFunctions[ip];
  const now = after.ftrace.directFunctions[ip];
  const isModified = callOf(action).role === 'changes';
  const exchanged = old !== undefined && now !== undefined && (old !== now || isModified);
  const once = outcome.errno !== 0 ? 2 : before.text.sites[ip] === after.text.sites[ip] ? 0 : 1;
  return once + (exchanged ? 2 : 0);
}
