import type { Ip, OptprobeId } from '../core/ids.ts';
import type { Part, Routine } from '../core/part.ts';
import { entry, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { probedAt } from '../text/body-address.ts';
import { textPokeBpBatch, write } from '../text/poke.ts';
import { freePage, SITE_BYTES } from '../text/text.ts';
import { INT3, syncCores, takesIpi } from '../text/view.ts';
import { leaveTable } from './kprobe-table.ts';
import {
  freeOptprobe,
  isArmedWithin,
  isUnused,
  jumpOf,
  keepsJump,
  kick,
  mayHaveJump,
  optimizerOf,
  optprobeAt,
  overlapping,
  queueToOptimize,
  writeOpcode,
} from './optprobe.ts';
import type { OptimizerList, ProbeView, ProbeWorld } from './probes.ts';

/*
 * The optimiser (kernel/kprobes.c): a work item, a thread since 7.0. Clients queue kprobes under `kprobe_mutex`; it takes
 * them off the lists:
 *
 * ```text
 *   list            text            what the optimiser does
 *   -------------   -------------   ------------------------------------------------------------------
 *   unoptimizing    jump            the int3 again; it leaves the text with the last kprobe of the address
 *                                   (synchronize_rcu_tasks(): a task may be in the middle of what a jump is to
 *                                   replace, or in a detour that no jump calls any more)
 *   optimizing      int3            the jump
 *   freeing         none            gives the kprobe back
 * ```
 *
 * A kprobe that is registered among the replaced instructions does not wait for it: the jump is taken away at once.
 */

interface AtIp {
  ip: Ip;
}

interface Queueing extends AtIp {
  /** The work of the optimiser has to be scheduled. */
  kicks?: boolean;
}

/** optimize_kprobe(), kernel/kprobes.c, `kprobe_mutex` held. */
export const optimizeKprobe = routine<ProbeWorld, AtIp, Queueing>(
  'optimize_kprobe',
  ({ finish, step, defer }) => [
    finish('it gets no jump', (k, { ip }) => !mayHaveJump(k, ip)),
    finish('a kprobe is armed among its instructions', (k, { ip }) => isArmedWithin(k, ip)),
    finish('it has one already', (k, { ip }) => keepsJump(k, ip)),
    step('queue it to be optimised', (k, locals) => {
      locals.kicks = queueToOptimize(k, locals.ip);
    }),
    defer('kick the optimiser', kprobeOptimizer, (_, { kicks }) => (kicks === true ? {} : undefined)),
  ],
);

interface Unoptimizing extends Queueing {
  /** The jump is taken away at once. */
  force: boolean;
}

/** unoptimize_kprobe(), `kprobe_mutex` and `text_mutex` held. */
export const unoptimizeKprobe = routine<ProbeWorld, Unoptimizing, Unoptimizing>(
  'unoptimize_kprobe',
  (words) => {
    const { finish, when, step, defer, call } = words;
    const jumpAway = call(archUnoptimizeKprobe, (_, { ip }) => ({ ip }));
    return [
      finish('it is not optimised', (k, { ip }) => optprobeAt(k, ip)?.optimized !== true),
      when(
        'it waits for its jump',
        (k, { ip }) => listOf(k, ip) === 'optimizing',
        [step('leave the queue', (k, { ip }) => put(k, ip, 'none', false))],
        [
          when(
            'at once',
            (_, { force }) => force,
            [
              jumpAway,
              step('it has no jump', (k, { ip }) =>
                put(k, ip, listOf(k, ip) === 'unoptimizing' ? 'freeing' : 'none', false),
              ),
            ],
            [
              step('queue it to be unoptimised', (k, locals) => {
                if (listOf(k, locals.ip) !== 'none') return;
                put(k, locals.ip, 'unoptimizing', true);
                locals.kicks = kick(k);
              }),
              defer('kick the optimiser', kprobeOptimizer, (_, { kicks }) =>
                kicks === true ? {} : undefined,
              ),
            ],
          ),
        ],
      ),
    ];
  },
);

function listOf(k: ProbeView, ip: Ip): OptimizerList {
  return optprobeAt(k, ip)?.list ?? 'none';
}

function put(k: ProbeWorld, ip: Ip, list: OptimizerList, optimized: boolean): void {
  Object.assign(present(optprobeAt(k, ip), ip), { list, optimized });
}

/**
 * arch_unoptimize_kprobe(), arch/x86/kernel/kprobes/opt.c: the first byte becomes an int3 again, and the other four those of
 * the instructions.
 */
const archUnoptimizeKprobe = routine<ProbeWorld, AtIp>('arch_unoptimize_kprobe', ({ step }) => [
  step('write int3', (k, { ip }) => write(k, probedAt(ip), 'heads', INT3)),
  step('sync after int3', syncCores, takesIpi),
  step('write the instructions', (k, { ip }) => {
    const { code } = present(optprobeAt(k, ip), ip);
    write(k, probedAt(ip), 'tails', code.join('').slice(2, 2 * SITE_BYTES));
  }),
  step('sync after the instructions', syncCores, takesIpi),
]);

/** arch_optimize_kprobes(), for one of its list. */
const archOptimizeKprobe = routine<ProbeWorld, AtIp>('arch_optimize_kprobes', ({ step, call }) => [
  call(textPokeBpBatch, (k, { ip }) => {
    const optprobe = present(k.probes.kprobeTable[ip]?.optprobe, ip);
    return { pokes: [{ place: probedAt(ip), to: jumpOf(k, { ip, optprobe }) }] };
  }),
  step('leave the list', (k, { ip }) => put(k, ip, 'none', true)),
]);

interface Optimizing {
  ip: Ip;
  optprobe: OptprobeId;
  freed: OptprobeId[];
}

/** kprobe_optimizer(): what is unoptimised, what is optimised, what is freed, in this order. */
export const kprobeOptimizer: Routine<ProbeWorld, object> = routine<ProbeWorld, object, Optimizing>(
  'kprobe_optimizer',
  (words) => {
    const { holding, step, each, call, wait, reclaim, when } = words;
    return [
      holding('kprobe_mutex', [
        holding('text_mutex', [
          step('begin', (k, locals) => {
            optimizerOf(k).kicked = false;
            locals.freed = [];
          }),
          ...doUnoptimizeKprobes(words),
          wait('rcu_tasks'),
          each<Ip>('kprobe to be optimised', (k) => listed(k, 'optimizing'), takeIp, [
            call(archOptimizeKprobe, (_, { ip }) => ({ ip })),
          ]),
          each<OptprobeId>('kprobe to be freed', (_, { freed }) => freed, takeOptprobe, [
            when('one was kept from its jump', isKept, [
              call(optimizeKprobe, (k, { optprobe }) => ({ ip: present(keptBy(k, optprobe), optprobe) })),
            ]),
            step('free it', (k, { optprobe }) => freeOptprobe(k, optprobe)),
            reclaim('give its slot back', freeOptinsnSlot, (_, { optprobe }) => ({ optprobe })),
          ]),
        ]),
      ]),
    ];
  },
);

/** do_unoptimize_kprobes(). */
function doUnoptimizeKprobes({ each, call, step, when }: RoutineWords<ProbeWorld, Optimizing>): Part[] {
  return [
    each<Ip>('kprobe to be unoptimised', (k) => listed(k, 'unoptimizing'), takeIp, [
      call(archUnoptimizeKprobe, (_, { ip }) => ({ ip })),
      step('it may be freed', (k, { ip }) => put(k, ip, 'freeing', true)),
    ]),
    each<Ip>('unoptimised kprobe', (k) => listed(k, 'freeing'), takeIp, [
      step('it has no jump', (k, { ip }) => put(k, ip, 'freeing', false)),
      when('it is disabled', isDisabled, [
        step('write the opcode', (k, { ip }) => writeOpcode(k, ip)),
        step('sync after the opcode', syncCores, takesIpi),
      ]),
      when(
        'it is unused',
        (k, { ip }) => isUnused(entry(k.probes.kprobeTable, ip)),
        [
          step('leave the table', (k, locals) => {
            const { optprobe } = entry(k.probes.kprobeTable, locals.ip);
            locals.freed.push(present(optprobe, locals.ip));
            leaveTable(k, locals.ip);
          }),
        ],
        [step('leave the list', (k, { ip }) => put(k, ip, 'none', false))],
      ),
    ]),
  ];
}

function isDisabled(k: ProbeView, { ip }: AtIp): boolean {
  return entry(k.probes.kprobeTable, ip).disabled;
}

function listed(k: ProbeView, list: OptimizerList): Ip[] {
  return Object.values(k.probes.optimizer?.ops ?? {}).flatMap((op) => (op.list === list ? [op.ip] : []));
}

function takeIp(locals: Optimizing, ip: Ip): void {
  locals.ip = ip;
}

function isKept(k: ProbeView, { optprobe }: Optimizing): boolean {
  return profileNamed(k.profile).blockedKprobeRetries && keptBy(k, optprobe) !== undefined;
}

/** The kprobe among whose instructions one that has left the table was. */
function keptBy(k: ProbeView, optprobe: OptprobeId): Ip | undefined {
  return overlapping(k, present(k.probes.optimizer?.ops[optprobe], optprobe).ip);
}

function takeOptprobe(locals: Optimizing, optprobe: OptprobeId): void {
  locals.optprobe = optprobe;
}

/**
 * free_optinsn_slot() of a dirty slot, and collect_garbage_slots(): the kernel waits for RCU alone, and not before many slots
 * are dirty.
 */
export const freeOptinsnSlot = routine<ProbeWorld, { optprobe: OptprobeId }>(
  'free_optinsn_slot',
  ({ wait, step }) => [wait('rcu_tasks'), step('free the slot', (k, { optprobe }) => freePage(k, optprobe))],
);
