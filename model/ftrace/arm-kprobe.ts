import type { Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { isInBody } from '../text/body-address.ts';
import { archArmKprobe, archDisarmKprobe } from './arm-int3.ts';
import { ensureOps, FTRACE_OPS_FL_IPMODIFY, FTRACE_OPS_FL_SAVE_REGS } from './ops.ts';
import type { ProbeView, ProbeWorld } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { ftraceSetFilterIp } from './set-filter.ts';

/*
 * Kprobes at the call site of a traced function are armed through ftrace; at other instructions with an int3
 * (`arm-int3.ts`), which no user of ftrace can refuse. One ops serves all kprobes without a post_handler, an IPMODIFY
 * ops those with one (kernel/kprobes.c).
 *
 * ```text
 *   kprobe_table                            ops                              call site
 *   ------------------------------------    -----------------------------    ---------------------------
 *   f1: kprobe#1 (pre_handler)         -->  kprobe_ftrace_ops                call its trampoline, which
 *                                           SAVE_REGS, filter {f1}           calls kprobe_ftrace_handler()
 *   f2: aggregate                      -->  kprobe_ipmodify_ops
 *         kprobe#3 (post_handler)           SAVE_REGS | IPMODIFY
 *         kprobe#2 (pre_handler)            filter {f2}
 *
 *   armed[ops]   0 --arm--> set filter, register ops --> 1 --arm--> set filter --> 2 ...
 *                1 --disarm--> unregister ops, clear filter --> 0;   2 --disarm--> clear filter --> 1
 * ```
 *
 * 1. register_kprobe() enters the probe into `kprobe_table` under `kprobe_mutex` and arms it afterwards; the
 *    handler looks the table up by address, under RCU and without that lock.
 * 2. Only the first probe of an address is armed; a later one joins the list of an aggregate, whose handlers call
 *    those of all probes, the newest first.
 * 3. The ops is registered with its first function and unregistered before its last one leaves the filter,
 *    because an ops with an empty filter traces every function.
 * 4. kprobe_ftrace_handler() runs the pre_handlers with `regs->ip` as a breakpoint would set it, and the
 *    post_handlers as if the nop had been single-stepped.
 * 5. unregister_kprobe() disarms the last enabled probe of an address, takes it off the list, and waits for an
 *    RCU grace period before the memory is the client's again.
 * 6. An address whose probes are all disabled is disarmed and stays in the table (`disable-kprobe.ts`).
 *
 * arm_kprobe_ftrace() and disarm_kprobe_ftrace() each choose the ops by the post_handler that the address has
 * now: a probe with one that joins an address armed without one makes disarming pick the wrong ops, and one that
 * is disabled makes a probe without one ask for IPMODIFY.
 */

export const KPROBE_FTRACE_OPS = 'kprobe_ftrace_ops';
export const KPROBE_IPMODIFY_OPS = 'kprobe_ipmodify_ops';

interface ArmArgs {
  ip: Ip;
}

interface ArmLocals extends ArmArgs {
  ops: OpsId;
}

/** Nothing remembers which ops the address was armed with. */
function chooseOps(k: ProbeView, locals: ArmLocals): void {
  locals.ops = entry(k.probes.kprobeTable, locals.ip).post ? KPROBE_IPMODIFY_OPS : KPROBE_FTRACE_OPS;
}

/** __arm_kprobe_ftrace(), `kprobe_mutex` held. An empty filter does no harm while the ops is not registered. */
export const armKprobeFtrace = routine<ProbeWorld, ArmArgs, ArmLocals>(
  '__arm_kprobe_ftrace',
  ({ step, call, when, attempt }) => [
    step('choose the ops', (k, locals) => {
      chooseOps(k, locals);
      const ops = ensureOps(k, locals.ops);
      ops.func = 'kprobe_ftrace_handler';
      ops.flags |=
        FTRACE_OPS_FL_SAVE_REGS | (locals.ops === KPROBE_IPMODIFY_OPS ? FTRACE_OPS_FL_IPMODIFY : 0);
    }),
    call(ftraceSetFilterIp, (_, { ip, ops }) => ({ ops, ip, remove: false, reset: false })),
    when('it is the first', (k, { ops }) => k.probes.armed[ops] === 0, [
      attempt(
        [call(registerFtraceFunction, (_, { ops }) => ({ ops }))],
        [
          call(
            ftraceSetFilterIp,
            (_, { ip, ops }) => ({ ops, ip, remove: true, reset: false }),
            () => {},
          ),
        ],
      ),
    ]),
    step('count it', (k, { ops }) => {
      k.probes.armed[ops] = entry(k.probes.armed, ops) + 1;
    }),
  ],
);

/**
 * __disarm_kprobe_ftrace(), `kprobe_mutex` held. With ftrace dead, 6.12 and later take the probe for disarmed
 * (`kprobe_ftrace_disabled`); 6.1 tries, warns, and keeps the probe listed.
 */
export const disarmKprobeFtrace = routine<ProbeWorld, ArmArgs, ArmLocals>(
  '__disarm_kprobe_ftrace',
  ({ step, call, when, attempt, finish }) => [
    finish('ftrace is dead', (k) => k.ftrace.disabled && profileNamed(k.profile).kprobesSurviveFtrace),
    step('choose the ops', chooseOps),
    when('it is the last', (k, { ops }) => k.probes.armed[ops] === 1, [
      attempt(
        [call(unregisterFtraceFunction, (_, { ops }) => ({ ops }))],
        [step('warn', (k) => warn(k, { is: 'kprobe ops not unregistered' }))],
      ),
    ]),
    step('count it', (k, { ops }) => {
      k.probes.armed[ops] = entry(k.probes.armed, ops) - 1;
    }),
    attempt(
      [call(ftraceSetFilterIp, (_, { ip, ops }) => ({ ops, ip, remove: true, reset: false }))],
      [step('warn', (k, { ip }) => warn(k, { is: 'kprobe not disarmed', ip }))],
    ),
  ],
);

/** arm_kprobe(): an int3, which no user of ftrace refuses, or the parts, which arm a call site. */
export const armKprobe = byInt3Or(archArmKprobe);

/** disarm_kprobe(), likewise. */
export const disarmKprobe = byInt3Or(archDisarmKprobe);

function byInt3Or(byInt3: typeof archArmKprobe) {
  return <L extends ArmArgs>({ when, call }: RoutineWords<ProbeWorld, L>, throughFtrace: readonly Part[]) =>
    when(
      'it is at no call site',
      (_, { ip }) => isInBody(ip),
      [call(byInt3, (_, { ip }) => ({ ip }))],
      throughFtrace,
    );
}
