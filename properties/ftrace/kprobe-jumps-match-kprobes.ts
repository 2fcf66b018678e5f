import type { Ip, KprobeId } from '../../model/core/ids.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isInBody } from '../../model/text/body-address.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import type { KprobesView } from '../observed/kprobe-jumps.ts';
import { isEnabled, isFree, isJump, within } from '../observed/kprobe-jumps.ts';
import { settledState } from '../observed/settled-state.ts';

/**
 * A kprobe that others have kept from its jump may stay without one when those have gone: only what an action has just
 * armed has to get it. The flags of the aggregate and the lists of the optimiser are not read.
 */
export const kprobeJumpsMatchKprobes: AttachLaw = {
  name: 'ftrace/kprobe-jumps-match-kprobes',
  sentence:
    'Once the optimiser has run, a kprobe in a body is a jump only if jumps are allowed, it is enabled, has no post_handler, and none is armed among the replaced instructions; if so, one that was just armed is a jump.',
  source: 'kernel/kprobes.c  optimize_kprobe, unoptimize_kprobe, kprobe_optimizer, optimize_all_kprobes',
  witness: 'a kprobe in a body, with jumps allowed or just prohibited',
  judge: (moment) => {
    const { before, after, action, program } = moment;
    const isSwitch = action.do === 'debug.kprobes-optimization';
    if (!isAlive(moment) || (before.probes.optimizer === null && !isSwitch)) return 'not applicable';
    const settled = settledState(after, program);
    const armed = Object.keys(settled.probes.kprobeTable).filter((ip) => isInBody(ip));
    const due = armedNow(moment);
    for (const ip of armed) {
      const observed = isJump(settled, ip);
      const mayJump = isAllowed(moment) && isFree(settled, ip);
      if (observed && !mayJump) return { is: 'kprobe-jump-differs', ip, jump: true };
      if (!observed && mayJump && due.includes(ip) && isAlone(before, settled, ip))
        return { is: 'kprobe-jump-differs', ip, jump: false };
    }
    return armed.length > 0 ? 'held' : 'not applicable';
  },
};

/** What the administrator wrote last: `debug.kprobes-optimization`. */
function isAllowed({ before, action }: Moment): boolean {
  return action.do === 'debug.kprobes-optimization'
    ? action.value
    : before.probes.optimizer?.allowed === true;
}

/** No kprobe has been among those instructions that the optimiser may not have done with. */
function isAlone(before: KernelView, after: KprobesView, ip: Ip): boolean {
  const { kprobeTable } = before.probes;
  const among = within(
    { probes: { ...after.probes, kprobeTable: { ...kprobeTable, ...after.probes.kprobeTable } } },
    ip,
  );
  return among.length === 0;
}

/** The addresses that an action has armed, or whose kprobes it has allowed to be jumps; a failure may keep them from it. */
function armedNow({ before, after, action, outcome, faults }: Moment): Ip[] {
  if (outcome.errno !== 0 || faults.length > 0) return [];
  switch (action.do) {
    case 'register_kprobe':
    case 'enable_kprobe': {
      const probe = action.do === 'enable_kprobe' ? action.kp : action.kprobe;
      const ip = after.probes.kprobes[probe as KprobeId]?.ip ?? '';
      return isEnabled(before, ip) ? [] : [ip];
    }
    case 'debug.kprobes-optimization':
      return before.probes.optimizer?.allowed === true ? [] : Object.keys(after.probes.kprobeTable);
    default:
      return [];
  }
}
