import type { CodeName } from '../../model/core/ids.ts';
import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { hasDestroyedAnEntry, hasFailed, stepsOf } from './cause.ts';

/** Leftovers of direct calls by address, which 6.1 has. */
export const KNOWN_BY_ADDRESS: readonly KnownAttach[] = [
  known({
    name: 'descriptor-of-another-address-stays',
    sentence:
      'unregister_ftrace_direct(ip, addr) with a wrong address, which warns unless that has a descriptor too: the one of the right address is never freed.',
    evidence: 'recorded on 6.1.192 (s 1000/6, 1001/6; correction 13)',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      what[0].is === 'descriptor' &&
      stepsOf(breach).some(
        ({ action, before }) =>
          action.do === 'unregister_ftrace_direct(ip)' &&
          isAnotherAddress(before.ftrace.directFunctions[action.ip], action.addr),
      ),
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); unregister_ftrace_direct(f1, my_tramp2); all grace periods end',
  }),
  known({
    name: 'descriptor-of-another-interface-is-renamed',
    sentence:
      'modify_ftrace_direct(ip, old, new) of a site that another interface made finds the descriptor of the old address, which counts other sites: it gets the new address, and is never found again.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  modify_ftrace_direct: find_direct_entry() does not ask whose entry it is; direct->addr = new_addr where the count is 1',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what: [{ is }] }, breach) =>
      (is === 'descriptor' || is === 'lost direct entry') && stepsOf(breach).some(changesAnothersEntry),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); modify_ftrace_direct(f1, my_tramp1, my_tramp2); all grace periods end',
  }),
  known({
    name: 'entry-of-a-shared-trampoline-is-lost',
    sentence:
      'unregister_ftrace_direct(ip, addr) frees its entry only with the descriptor of its trampoline: while other sites call the trampoline, the entry leaks.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: kfree(entry) if the count of the descriptor is zero',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what: [{ is }] }, breach) =>
      is === 'lost direct entry' && stepsOf(breach).some(hasSharedDescriptor),
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); register_ftrace_direct(f2, my_tramp1); all grace periods end',
  }),
  known({
    name: 'descriptor-of-a-refused-direct-call-is-never-freed',
    sentence: 'The descriptor that a register_ftrace_direct(ip, addr) without memory leaves is never freed.',
    evidence: 'as descriptor-of-a-refused-direct-call-stays',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what: [{ is }] }, breach) =>
      is === 'descriptor' &&
      hasFailed(breach, ['register_ftrace_direct(ip)'], 'allocation', ['register_ftrace_direct(ip)']),
    restsOn: ['directApi'],
    example:
      'the 2nd allocation in register_ftrace_direct(ip) fails; register_ftrace_direct(f1, my_tramp1); all grace periods end',
  }),
  known({
    name: 'filter-of-the-detour-stays',
    sentence:
      'modify_ftrace_direct(ip, old, new) takes its function off the filter of stub_ops at its end: where that lacks memory the function stays in it.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  ftrace_modify_direct_caller: the answer of the last ftrace_set_filter_ip() is ignored',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what: [first] }, breach) =>
      first.is === 'filter' &&
      first.of === 'stub_ops' &&
      hasFailed(breach, ['modify_ftrace_direct(ip)'], 'allocation', ['ftrace_set_hash']),
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); the 2nd allocation in ftrace_set_hash fails; modify_ftrace_direct(f1, my_tramp1, my_tramp1); all grace periods end',
  }),
  known({
    name: 'ftrace-dies-of-a-destroyed-entry',
    sentence:
      'unregister_ftrace_direct(ip, addr) has removed the entry of a direct call of another interface, whose site still calls it: the next ops on the function does not find what the site holds, and ftrace dies.',
    evidence:
      'shown on 6.1.192: register_kprobe() answers -19 after WARNs in ftrace_get_addr_curr() and ftrace_verify_code(), and "ftrace bug"; kernel/trace/ftrace.c  ftrace_get_addr_curr: ftrace_find_rec_direct() of a record with DIRECT_EN',
    law: 'ftrace/no-ftrace-bug',
    kernels: ['6.1'],
    finding: 'ftrace-is-dead',
    when: (_, breach) =>
      breach.moment.outcome.warnings.some(({ is }) => is === 'direct record not in table') &&
      hasDestroyedAnEntry(breach),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1); register_kprobe(kprobe#1, f1)',
  }),
];

/** The site has a direct call, to another address than this. */
export function isAnotherAddress(addr: CodeName | undefined, given: CodeName): boolean {
  return addr !== undefined && addr !== given;
}

/** A site is unregistered by another address than it calls: the descriptor of the right one, this, stays. */
export function leaksADescriptor(
  { before: { ftrace }, action }: ReturnType<typeof stepsOf>[number],
  addr: CodeName,
): boolean {
  return (
    action.do === 'unregister_ftrace_direct(ip)' &&
    ftrace.directFunctions[action.ip] === addr &&
    isAnotherAddress(addr, action.addr)
  );
}

/** A site that calls something else takes a count off the descriptor of this address, or gives it another address. */
export function takesTheDescriptor(step: ReturnType<typeof stepsOf>[number], addr: CodeName): boolean {
  const { before, action } = step;
  if (action.do === 'modify_ftrace_direct(ip)') return action.oldAddr === addr && changesAnothersEntry(step);
  return (
    action.do === 'unregister_ftrace_direct(ip)' &&
    action.addr === addr &&
    isAnotherAddress(before.ftrace.directFunctions[action.ip], addr)
  );
}

/** The direct call of a site that direct_ops does not have is changed. */
export function changesAnothersEntry({
  before,
  action,
  outcome,
}: ReturnType<typeof stepsOf>[number]): boolean {
  return (
    action.do === 'modify_ftrace_direct(ip)' &&
    outcome.errno === 0 &&
    !opsReferencesIp(before, 'direct_ops', action.ip)
  );
}

/** Some site has not a descriptor of its own: others share it, or it has none, or another one is to be used. */
function hasSharedDescriptor({ before: { ftrace }, action }: ReturnType<typeof stepsOf>[number]): boolean {
  const { directFuncs, directFunctions } = ftrace;
  return (
    directFuncs.some(({ count }) => count > 1) ||
    Object.values(directFunctions).some((target) => directFuncs.every(({ addr }) => addr !== target)) ||
    (action.do === 'unregister_ftrace_direct(ip)' &&
      isAnotherAddress(directFunctions[action.ip], action.addr))
  );
}
