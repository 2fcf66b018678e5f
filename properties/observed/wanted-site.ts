import type { Ip } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { ftraceIsJmp, ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { branchAtSite, NOP5 } from '../../model/text/text.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { Moment } from '../law/sequence-law.ts';
import type { TracingOps } from './tracing-ops.ts';
import { hasFlag } from './tracing-ops.ts';

/**
 * The required target of a function's direct call: the image of its BPF trampoline, that of a design, or what a
 * client was promised. The image of a BPF program's trampoline is no direct call.
 */
export function promisedDirect(
  { after, promises }: Pick<Moment, 'after' | 'promises'>,
  ip: Ip,
): string | undefined {
  const image = promises.bpf.includes(ip) ? '' : (after.bpf.trampolines[ip]?.curImage ?? '');
  if (image !== '') return after.bpf.images[image]?.jmp === true ? `jmp ${image}` : image;
  const ofDesign = designOf(profileNamed(after.profile))?.imageOf?.(after, ip) ?? '';
  if (ofDesign !== '') return ofDesign;
  return promises.clients.find(({ kind, ips }) => kind === 'direct' && ips.includes(ip))?.who;
}

/**
 * The decision table of a call site, from the ops that trace the function and from nothing else: `nop5`, or what it
 * calls; `jmp <symbol>` where it jumps; undefined: an unrequested direct call.
 *
 * ```text
 *   none                                  nop5
 *   one, direct                           its direct call
 *   one, with a trampoline of its own     that trampoline
 *   more, or one without                  ftrace_regs_caller if one saves registers, ftrace_caller if none does
 * ```
 */
export function wantedTarget(moment: Moment, ip: Ip, tracing: readonly TracingOps[]): string | undefined {
  if (!moment.after.ftrace.enabled || tracing.length === 0) return 'nop5';
  if (tracing.length === 1) {
    const { ops } = item(tracing, 0);
    if (hasFlag(ops, FTRACE_OPS_FL_DIRECT)) return promisedDirect(moment, ip);
    if (ops.trampoline !== '') return ops.trampoline;
  }
  return tracing.some(({ ops }) => hasFlag(ops, FTRACE_OPS_FL_SAVE_REGS))
    ? 'ftrace_regs_caller'
    : 'ftrace_caller';
}

/** The bytes of a call site that branches to a target; undefined when there is no target, or no such symbol. */
export function siteBytes({ after: k }: Moment, ip: Ip, target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (target === 'nop5') return NOP5;
  try {
    return branchAtSite(k, ip, ftraceIsJmp(target) ? 'e9' : 'e8', ftraceJmpGet(target));
  } catch {
    return undefined;
  }
}
