import { hasReturned } from '../../model/call/call-frame.ts';
import type { EventKind } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Cpu } from '../../model/text/cpu.ts';
import { addressOf } from '../../model/text/space.ts';
import { fromHex, toHex } from '../../model/x86/word.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { watchBodies } from '../observed/watched-call.ts';

/**
 * I-38: what an unwinder does at each body that a call reaches. The call is made again for it, so only where two
 * returns were followed. If several hooks have replaced one slot, each has saved the trampoline of the one before.
 */
export const replacedReturnAddressesAreRecoverable: AttachLaw = {
  name: 'ftrace/replaced-return-addresses-are-recoverable',
  sentence:
    'While a function runs, each replaced return address can be recovered from the shadow stack or the list of hooked returns.',
  source: 'kernel/trace/fgraph.c  ftrace_graph_ret_addr; kernel/trace/rethook.c  rethook_find_ret_addr',
  witness: 'return addresses replaced by two clients or in two nested calls',
  judge: (moment) => {
    const { call } = moment.outcome;
    if (call === undefined || !hasReturned(call) || moment.outcome.died !== undefined)
      return 'not applicable';
    if (call.events.filter(({ kind }) => RETURNS.includes(kind)).length < 2) return 'not applicable';
    let finding: AttachFinding | undefined;
    let witness = false;
    watchBodies(moment, (k, cpu) => {
      witness ||= k.fgraph.retStack.length + k.probes.hooked.length > 0;
      finding ??= unknownReturn(k, cpu);
    });
    return finding ?? (witness ? 'held' : 'not applicable');
  },
};

const RETURNS: readonly EventKind[] = ['graph exit', 'kretprobe', 'fprobe exit', 'kprobe.multi return'];

interface Replaced {
  readonly trampoline: string;
  readonly found: string;
}

function unknownReturn(k: KernelView, cpu: Cpu): AttachFinding | undefined {
  const graph = toHex(addressOf(k, 'return_to_handler'));
  const rethook = toHex(addressOf(k, 'arch_rethook_trampoline'));
  const slots = new Map<string, Replaced[]>();
  const add = (slot: string, replaced: Replaced) => slots.set(slot, [...(slots.get(slot) ?? []), replaced]);
  for (const { retp, ret } of k.fgraph.retStack) add(retp, { trampoline: graph, found: ret });
  for (const { frame, retAddr } of k.probes.hooked) add(frame, { trampoline: rethook, found: retAddr });
  for (const [slot, owners] of slots) {
    const left = [...owners];
    let value = toHex(cpu.read(fromHex(slot)));
    while (value === graph || value === rethook) {
      const index = left.findLastIndex(({ trampoline }) => trampoline === value);
      if (index < 0)
        return {
          is: 'return-address-is-unknown',
          slot,
          trampoline: value === graph ? 'return_to_handler' : 'arch_rethook_trampoline',
        };
      value = item(left.splice(index, 1), 0).found;
    }
    if (left.length > 0) return { is: 'return-address-is-lost', slot, leadsTo: value, waiting: left.length };
  }
  return undefined;
}
