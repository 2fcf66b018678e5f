import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { Errno } from '../../model/core/errno.ts';
import { item } from '../../model/core/present.ts';
import { isDone } from '../../model/promised.ts';
import type { Changed } from '../finding/answer-finding.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { allDifferences, changedAt, firstDifference } from '../observed/differences.ts';
import { lateJumpPaths } from '../observed/kprobe-jumps.ts';
import type { SettledState } from '../observed/settled-state.ts';
import { settledState } from '../observed/settled-state.ts';
import { withoutAddresses } from '../observed/unordered-state.ts';

/** I-12, S6, S7, and the second half of I-9. */
export const failedCallsHaveNoEffect: AttachLaw = {
  name: 'ftrace/failed-calls-have-no-effect',
  sentence: 'A refused call leaves records, text, tables, lists, counters and references unchanged.',
  source:
    'kernel/trace/ftrace.c  ftrace_startup, register_ftrace_direct; kernel/bpf/trampoline.c  bpf_trampoline_update',
  witness: 'an operation refused with an errno',
  judge: (moment) => {
    const { action, outcome, before, after, program } = moment;
    const diesHere = after.ftrace.disabled && !before.ftrace.disabled;
    if (
      outcome.died !== undefined ||
      diesHere ||
      outcome.errno === 0 ||
      outcome.errno === 'EBADF' ||
      isNoRefusal(action, outcome.errno)
    )
      return 'not applicable';
    const isOwn = isUnregistered(moment);
    const settled = settledState(after, program);
    const earlier = settledState(before, program);
    const late = lateJumpPaths(earlier, settled);
    const [first, ...others] = changesOf(
      action,
      earlier,
      settled,
      (path) =>
        isAllowed(path) ||
        late.includes(path) ||
        (isOwn && path === 'probes/kretprobes') ||
        isOfNoImage(settled, path) ||
        isOfNoOps(earlier, path) ||
        isTidied(earlier, settled, path) ||
        isOfOneThatStays(settled, path),
    );
    if (first === undefined) return 'held';
    return { is: 'refusal-leaves-a-trace', errno: outcome.errno, changes: [first, ...others] };
  },
};

/**
 * Rolling a link back regenerates images for the programs that stay: the same images at other addresses. Links of several
 * functions are rolled back, and those to cgroups, whose shim leaves the hook again (bpf_trampoline_unlink_cgroup_shim()
 * in the cleanup of __cgroup_bpf_attach()).
 */
function changesOf(
  action: Action,
  before: SettledState,
  after: SettledState,
  mayChange: (path: string) => boolean,
): Changed[] {
  if (firstDifference(before, after, mayChange) === undefined) return [];
  const found = isRolledBack(action, before)
    ? allDifferences(
        withoutAddresses(before),
        withoutAddresses(after),
        (path) => mayChange(path) || isOfSharedImage(before, after, path),
      )
    : allDifferences(before, after, mayChange);
  return found.map((difference) => changedAt(difference));
}

/**
 * A kretprobe that its client has unregistered is the client's memory when it is registered again, also one that a dead
 * ftrace could not disarm.
 */
function isUnregistered({ action, promised }: Moment): boolean {
  if (action.do !== 'register_kretprobe') return false;
  return !promised.clients.some(({ who }) => who === action.kretprobe);
}

function isRolledBack(action: Action, { bpf }: SettledState): boolean {
  if (action.do !== 'BPF_LINK_CREATE') return false;
  return action.targets.length > 0 || bpf.progs[action.prog]?.program.cgroup === true;
}

/** Calls whose failure is no refusal for the client: they return nothing, or detach all the same. */
export function isNoRefusal(action: Action, errno: Errno): boolean {
  const { returnsNothing, isDoneAnyway } = callOf(action);
  return returnsNothing === true || isDone(isDoneAnyway, errno);
}

/**
 * What a refused call may change, by path, with the reason:
 *
 * - `warnings`, `fault`: of the call and of the search.
 * - `text/pokes`, `bpf/serial`, `bpf/imagesMade`, `bpf/cgroup/shimsMade`, `probes/optimizer/made`, `ftrace/opsMemory`: our
 *   own counters and addresses.
 * - `text/pages/<core ops>.trampoline`: allocated once and kept for the next use.
 * - `ftrace/savedTraceFunction`, `innerFunction`, `functionTraceOp`, `graphEntryTests`: what calls reach is judged by its
 *   bytes.
 * - `bpf/trampolines/<target>/flags/SHARE_IPMODIFY`, `ftraceManaged`: it stays when a later owner refuses (F12).
 *   `oldImage` and `oldFlags` are set before each use. The other flags are those of the image: without programs they
 *   mean nothing, and bpf_trampoline_update() restores them where it fails.
 * - `probes/kprobeTable/<address>/aggregate`: a list of one probe serves it as the probe itself does.
 * - `probes/kprobes`, `fgraph/gops`, `bpf/progs/<n>/trampLinked`: the client's memory, or history without effect.
 * - `ftrace/staleOps`, `bpf/staleTrampolines`, `probes/stalePools`: memory that was freed. That it was freed in use
 *   breaks another law.
 * - `probes/freedPools`, `newerPools`: the pointers `fp->rethook` and `rp->rh` are the client's memory, which it clears before it
 *   registers again.
 */
const ALLOWED =
  /^(warnings|fault|text\/pokes\b.*|bpf\/(serial|imagesMade|cgroup\/shimsMade|staleTrampolines\b.*)|ftrace\/(opsMemory|graphEntryTests|savedTraceFunction|innerFunction|\w*[tT]raceOp|directOpsHasHash|staleOps\b.*)|text\/pages\/[a-z_]+(\(mod\))?\.trampoline|bpf\/trampolines\/\w+\/(flags\/SHARE_IPMODIFY|ftraceManaged|oldImage|oldFlags)\b.*|probes\/(kprobes|freedPools\b.*|stalePools\b.*|newerPools\b.*|optimizer\/made)|fgraph\/gops|bpf\/progs\/\d+\/trampLinked|probes\/kprobeTable\/[\w+]+\/(damaged|aggregate))$/;

/** An image that is generated again beside an IPMODIFY ops calls the function by the address on its stack. */
function isOfSharedImage(before: SettledState, after: SettledState, path: string): boolean {
  const [, target = ''] =
    /^bpf\/(?:trampolines\/(\w+)\/flags\/ORIG_STACK$|images\/image of (\w+)\.)/.exec(path)?.filter(Boolean) ??
    [];
  const flags = after.bpf.trampolines[target]?.flags;
  return (
    flags?.SHARE_IPMODIFY === true && before.bpf.trampolines[target]?.flags.ORIG_STACK !== flags.ORIG_STACK
  );
}

/** A flag of a trampoline without programs. */
function isOfNoImage({ bpf }: SettledState, path: string): boolean {
  const [, target = ''] = /^bpf\/trampolines\/(\w+)\/flags\b/.exec(path) ?? [];
  return bpf.trampolines[target]?.nodes.length === 0;
}

/**
 * The calls in the entry code, when no ops is on the list: no call site leads there, and where the last ops has left while
 * tracing was off they still name its handler.
 */
function isOfNoOps({ ftrace }: SettledState, path: string): boolean {
  return ftrace.opsList.length === 0 && path.startsWith('text/inner/');
}

/** Flags of a record without users, which the last of them has left while tracing was off. */
function isTidied(before: SettledState, after: SettledState, path: string): boolean {
  const [, ip = ''] = /^ftrace\/records\/([^/]+)\/flags$/.exec(path) ?? [];
  const [old, now] = [before.ftrace.records[ip], after.ftrace.records[ip]];
  return old?.count === 0 && now?.count === 0 && (now.flags & ~old.flags) === 0;
}

/** The handler and the flag of a kprobe that its client takes for unregistered, and has written again. */
function isOfOneThatStays({ probes }: SettledState, path: string): boolean {
  const [, ip = ''] = /^probes\/kprobeTable\/([\w+]+)\/(?:post|disabled)$/.exec(path) ?? [];
  const site = probes.kprobeTable[ip];
  return site?.aggregate === false && probes.kprobes[item(site.probes, 0)]?.stays === true;
}

function isAllowed(path: string): boolean {
  return ALLOWED.test(path);
}
