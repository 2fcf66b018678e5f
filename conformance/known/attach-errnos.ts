import { kprobeNamed } from '../../model/client/switched-probe.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { changesAnothersEntry, leaksADescriptor, takesTheDescriptor } from './attach-by-address.ts';
import { wasLost } from './attach-firings.ts';
import { wasRegisteredTwice } from './attach-leftovers.ts';
import { couldNotLeaveTheManager, kprobeOf, stepsOf, withoutLast } from './cause.ts';

/** Answers that are not what the description of a call says. */
export const KNOWN_ERRNOS: readonly KnownAttach[] = [
  known({
    name: 'dead-kprobe-is-not-registered',
    sentence:
      'A kprobe that could not be armed, though its registration returned 0, is not registered: disabling or enabling it is EINVAL, and registering it again is not.',
    evidence:
      'recorded on 7.2.13 (38 cases, common 18 among them; correction 7); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['7.2'],
    finding: 'errno-differs',
    when: ({ observed }, breach) => {
      const { action } = breach.moment;
      const isSwitch = action.do === 'disable_kprobe' || action.do === 'enable_kprobe';
      const isAgain = action.do === 'register_kprobe' || action.do === 'register_kretprobe';
      const own = isSwitch ? kprobeNamed(action).kprobe : kprobeOf(action)?.probe;
      if (own === undefined || !wasLost(withoutLast(breach), own)) return false;
      return isSwitch ? observed === 'EINVAL' : isAgain && observed !== 'EINVAL';
    },
    restsOn: ['kprobeErrorLost'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler); disable_kprobe(kprobe#1)',
  }),
  known({
    name: 'graph-user-registered-twice-is-refused',
    sentence: 'The same user is refused (EBUSY) after it has been unregistered: its subops is still enabled.',
    evidence:
      'as graph-user-registered-twice-stays; kernel/trace/fgraph.c  unregister_ftrace_graph returns before ftrace_shutdown_subops(); kernel/trace/ftrace.c  ftrace_startup_subops',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['6.12'],
    finding: 'errno-differs',
    when: ({ observed }, breach) => {
      const { action } = breach.moment;
      return (
        action.do === 'register_ftrace_graph' &&
        observed === 'EBUSY' &&
        wasRegisteredTwice(withoutLast(breach), action.gops)
      );
    },
    example:
      'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); unregister_ftrace_graph(gops#1); register_ftrace_graph(gops#1)',
  }),
  known({
    name: 'user-that-fprobes-share-stays-refused',
    sentence:
      'The user of function graph that fprobes share could not be registered, or could not leave: its flag says that it is there, and every later fprobe or kprobe.multi link is refused (EBUSY).',
    evidence:
      'shown on 7.2.13, as refused-fprobe-joins-the-filter-of-all; kernel/trace/fgraph.c of 7.2.13  register_ftrace_graph: FTRACE_OPS_FL_GRAPH is set by fgraph_init_ops() and not cleared when ftrace_startup_subops() fails; kernel/trace/fprobe.c  fprobe_graph_add_ips',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['7.2'],
    finding: 'errno-differs',
    when: ({ observed }, breach) => {
      const { action, outcome } = breach.moment;
      if (action.do !== 'register_fprobe_ips' && action.do !== 'BPF_LINK_CREATE') return false;
      const isAgain = outcome.warnings.some(({ is }) => is === 'graph ops registered again');
      // It could not leave: unregister_ftrace_graph() ignores what ftrace_shutdown_subops() answers.
      const isStillThere =
        outcome.warnings.some(({ is }) => is === 'enabled subops started') && couldNotLeaveTheManager(breach);
      return observed === 'EBUSY' && (isAgain || isStillThere);
    },
    example:
      'the next allocation in ftrace_startup_subops fails; register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_fprobe_ips(fprobe#1, { f1 }, exit_handler)',
  }),
  known({
    name: 'leaked-descriptor-serves-another-interface',
    sentence:
      'modify_ftrace_direct(ip, old, new) changes the direct call of a *_multi ops or of a BPF trampoline, where a descriptor of its address was left over: it answers 0 instead of EINVAL.',
    evidence:
      'recorded on 6.1.192 (dreg f2 0 1; omod f2 1 0; correction 13: EINVAL in a fresh boot, 0 where the descriptor leaked before); kernel/trace/ftrace.c of 6.1.192  modify_ftrace_direct: find_direct_entry() does not ask whose entry it is, ftrace_find_direct_func() not for which site the descriptor is',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['6.1'],
    finding: 'errno-differs',
    when: ({ observed }, breach) => {
      const { action } = breach.moment;
      if (action.do !== 'modify_ftrace_direct(ip)' || observed !== 0) return false;
      return stepsOf(withoutLast(breach)).some(
        (step) => leaksADescriptor(step, action.oldAddr) || changesAnothersEntry(step),
      );
    },
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f1, my_tramp1); unregister_ftrace_direct(f1, my_tramp2); register_ftrace_direct_multi(direct#1, my_tramp1); modify_ftrace_direct(f1, my_tramp1, my_tramp1)',
  }),
  known({
    name: 'descriptor-that-another-site-took-is-missed',
    sentence:
      'unregister_ftrace_direct(ip, addr) with the address of another direct call, or modify_ftrace_direct() of a site of another interface, has taken its descriptor: modify_ftrace_direct() of that call is EINVAL, with a WARN.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: ftrace_find_direct_func(addr), whatever entry->direct is; modify_ftrace_direct: WARN_ON(!direct)',
    law: 'ftrace/refusals-have-their-errno',
    kernels: ['6.1'],
    finding: 'errno-differs',
    when: ({ observed }, breach) => {
      const { action, outcome } = breach.moment;
      if (action.do !== 'modify_ftrace_direct(ip)' || observed !== 'EINVAL') return false;
      if (!outcome.warnings.some(({ is }) => is === 'no descriptor')) return false;
      return stepsOf(withoutLast(breach)).some((step) => takesTheDescriptor(step, action.oldAddr));
    },
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); register_ftrace_direct(f2, my_tramp2); unregister_ftrace_direct(f2, my_tramp1); modify_ftrace_direct(f1, my_tramp1, my_tramp1)',
  }),
];
