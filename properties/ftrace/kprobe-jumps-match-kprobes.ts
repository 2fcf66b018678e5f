import type { Ip, KprobeId } from '../../model/core/ids.ts';
import type { ProbeView } from '../../model/ftrace/probes.ts';
import type { KernelView } from '../../model/kernel.ts';
import { functionOf, isInBody, probedAt } from '../../model/text/body-address.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import type { SettledState } from '../observed/settled-state.ts';
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

function isJump({ text }: SettledState, ip: Ip): boolean {
  const bytes = text.probed[ip] ?? '';
  return bytes.length === 2 * SITE_BYTES && bytes.startsWith('e9');
}

type Probes = Pick<ProbeView, 'probes'>;

/** Whether nothing keeps a kprobe from its jump, as its clients have set it. */
function isFree(k: Probes, ip: Ip): boolean {
  const { probes = [], code = [] } = k.probes.kprobeTable[ip] ?? {};
  const hasPost = probes.some((name) => k.probes.kprobes[name]?.post === true);
  const hasRoom = code.join('').length >= 2 * SITE_BYTES;
  return isEnabled(k, ip) && !hasPost && hasRoom && !within(k, ip).some((other) => isEnabled(k, other));
}

function isEnabled({ probes: { kprobeTable, kprobes } }: Probes, ip: Ip): boolean {
  return (kprobeTable[ip]?.probes ?? []).some((name) => kprobes[name]?.disabled === false);
}

/** The other addresses with kprobes among the instructions that a jump replaces. */
function within(k: Probes, ip: Ip): Ip[] {
  const { offset } = probedAt(ip);
  const bytes = (k.probes.kprobeTable[ip]?.code ?? []).join('').length / 2;
  return Object.keys(k.probes.kprobeTable).filter((other) => {
    if (!isInBody(other) || functionOf(other) !== functionOf(ip)) return false;
    const by = probedAt(other).offset - offset;
    return by > 0 && by < bytes;
  });
}

/** No kprobe has been among those instructions that the optimiser may not have done with. */
function isAlone(before: KernelView, after: Probes, ip: Ip): boolean {
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
