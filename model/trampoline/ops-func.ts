import type { FunctionName } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { opsOnList } from '../ftrace/filter-hash.ts';
import type { OpsFuncArgs } from '../ftrace/ipmodify.ts';
import { isSiteOfMulti } from './designs/chosen.ts';
import { trLock, trOf } from './trampoline.ts';
import { bpfTrampolineUpdate } from './update.ts';
import type { BpfTrampoline, BpfView, BpfWorld } from './world.ts';

/*
 * ftrace's question to the owner of a direct call, for BPF: bpf_tramp_ftrace_ops_func(). It is called with
 * `direct_mutex` held, the opposite of the normal lock order, hence the trylock on the trampoline; EAGAIN makes
 * the client of the live patch retry.
 */

/** The trampoline that a direct ops serves: `ops->private`, or (7.2) the one found by the call site. */
function targetOf(k: BpfView, { ops, ip }: OpsFuncArgs): string {
  if (profileNamed(k.profile).singleDirectOps) return ip;
  const target = opsOnList(k, ops).private;
  if (k.functions[target] !== undefined) return target;
  throw new Oops({ is: 'no trampoline', target });
}

/** The lookup of 7.2 takes `trampoline_mutex` inside `direct_mutex`. */
interface OpsFuncLocals extends OpsFuncArgs {
  /** Whether direct_ops_ip_lookup() found a trampoline. */
  found?: boolean;
}

/**
 * bpf_tramp_ftrace_ops_func(), kernel/bpf/trampoline.c. SELF comes from the trampoline's own registration, with
 * its lock held by the same task; PEER from the registration or unregistration of a live patch. Only images that
 * call the original have to change.
 */
export const bpfTrampFtraceOpsFunc = routine<BpfWorld, OpsFuncArgs, OpsFuncLocals>(
  'bpf_tramp_ftrace_ops_func',
  ({ refuse, when, step, finish, trying, holding, call }) => [
    when('one ops serves all', (k) => profileNamed(k.profile).singleDirectOps, [
      holding('trampoline_mutex', [step('direct_ops_ip_lookup', lookUp)]),
    ]),
    refuse('EINVAL', 'no trampoline is known for the site', (_, { found }) => found === false),
    when('we join a live patch', (_, { cmd }) => cmd === 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF', [
      finish('the image can share', (k, locals) => {
        const { CALL_ORIG, ORIG_STACK } = trOf(k, targetOf(k, locals)).flags;
        return !CALL_ORIG || ORIG_STACK;
      }),
      refuse('EBUSY', 'it should share already', (k, locals) => {
        const { SHARE_IPMODIFY } = trOf(k, targetOf(k, locals)).flags;
        if (SHARE_IPMODIFY) warn(k, { is: 'shares already' });
        return SHARE_IPMODIFY;
      }),
      step('share', (k, locals) => setShare(k, targetOf(k, locals), true)),
      // The registration fails; bpf_trampoline_update() generates the image again, and retries.
      refuse('EAGAIN', 'the image has to be made again', () => true),
    ]),
    trying(
      (k, locals) => trLock(k, targetOf(k, locals)),
      [
        step('note the live patch', (k, locals) =>
          setShare(k, targetOf(k, locals), locals.cmd === 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER'),
        ),
        when('the image has to change', (k, locals) => mustChange(k, locals), [
          call(bpfTrampolineUpdate, (k, locals) => ({
            target: targetOf(k, locals),
            lockDirectMutex: false,
            multi: '',
          })),
        ]),
      ],
      // msleep(1) in the kernel: the client of the live patch retries.
      [refuse('EAGAIN', 'the trampoline is being changed', () => true)],
    ),
  ],
);

/** direct_ops_ip_lookup(), `trampoline_mutex` held. */
function lookUp(k: BpfView, locals: OpsFuncLocals): void {
  locals.found = k.bpf.trampolines[locals.ip] !== undefined && !isSiteOfMulti(k, locals.ip);
}

/** A trampoline's flags are otherwise changed only in bpf_trampoline_update(). */
function setShare(k: BpfWorld, target: FunctionName, on: boolean): void {
  const tr = k.bpf.trampolines[target] ?? k.bpf.staleTrampolines?.[target] ?? trOf(k, target);
  tr.flags = { ...tr.flags, SHARE_IPMODIFY: on };
}

/**
 * Whether the image calls the original the wrong way for the new situation. `ops->private` of an ops that was freed on
 * the list points to a freed trampoline, which reads as it was then: without programs, and without an image that
 * bpf_trampoline_update() could unregister.
 */
function mustChange(k: BpfView, locals: OpsFuncArgs): boolean {
  const target = targetOf(k, locals);
  const stale = k.bpf.trampolines[target] === undefined ? k.bpf.staleTrampolines?.[target] : undefined;
  if (stale === undefined) return callsItWrongly(trOf(k, target), locals);
  if (callsItWrongly(stale, locals)) throw new Oops({ is: 'trampoline without image' });
  return false;
}

function callsItWrongly({ flags }: DeepReadonly<BpfTrampoline>, locals: OpsFuncArgs): boolean {
  const { CALL_ORIG, ORIG_STACK } = flags;
  return locals.cmd === 'FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER' ? CALL_ORIG && !ORIG_STACK : ORIG_STACK;
}
