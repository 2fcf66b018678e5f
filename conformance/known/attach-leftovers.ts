import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import { promisedDirect } from '../../properties/observed/wanted-site.ts';
import type { KnownAttach } from './attach.ts';

/** What is left when everybody has detached. */
export const KNOWN_LEFTOVERS: readonly KnownAttach[] = [
  {
    name: 'kprobe-of-another-ops-stays',
    sentence:
      'The kprobe with post_handler that joined one without: when both have gone, the site is patched still.',
    evidence: 'recorded on all three (bug 6000-6002; defect 2)',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1', '6.12', '7.2'],
    shows: / (the patched call site|something in the record|a kprobe) of .* is left$/,
    when: ({ moment: { after } }) =>
      Object.entries(after.probes.kprobeTable).some(
        ([ip, { post }]) => post !== (after.ftrace.ops.kprobe_ipmodify_ops?.filter.includes(ip) ?? false),
      ),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); all grace periods end',
  },
  {
    name: 'entry-with-another-address-is-left',
    sentence: 'unregister_ftrace_direct() with another address: the entries are there for ever.',
    evidence: 'recorded on all three (common 0, common 1; correction 14)',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1', '6.12', '7.2'],
    shows: / in direct_functions is left$/,
    when: ({ moment: { after, promises } }) =>
      Object.keys(after.ftrace.directFunctions).some(
        (ip) => promisedDirect({ after, promises }, ip) === undefined,
      ),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct_multi(direct#1, my_tramp2); all grace periods end',
  },
  {
    name: 'client-of-a-destroyed-entry-is-left',
    sentence:
      'unregister_ftrace_direct(ip, addr) has destroyed the entry of another interface, whose client cannot leave.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1'],
    shows: / is left$/,
    when: ({ moment: { after, promises } }) =>
      Object.keys(after.ftrace.records).some(
        (ip) =>
          promisedDirect({ after, promises }, ip) !== undefined &&
          after.ftrace.directFunctions[ip] === undefined,
      ),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1); all grace periods end',
  },
  {
    name: 'client-that-could-not-leave-is-left',
    sentence: 'What a detach leaves that lacked memory, or met a failure of another kind, is left for ever.',
    evidence: 'as detaching-takes-memory and ops-is-freed-on-the-list',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1', '6.12', '7.2'],
    shows: / (the patched call site|something in the record|a kprobe|the descriptor) of \S+ is left$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_kprobe(kprobe#1); all grace periods end',
  },
  {
    name: 'descriptor-of-another-address-is-left',
    sentence:
      'unregister_ftrace_direct(ip, addr) with another address warns, and the descriptor of the real one is never freed.',
    evidence: 'recorded on 6.1.192 (s 1000/6, 1001/6; correction 13)',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1'],
    shows: / the descriptor of my_tramp\d is left$/,
    example:
      'register_ftrace_direct(f1, my_tramp1); unregister_ftrace_direct(f1, my_tramp2); all grace periods end',
  },
  {
    name: 'record-without-users-keeps-regs',
    sentence:
      'A function that leaves the filter of a registered ops with SAVE_REGS while kernel.ftrace_enabled is 0 keeps REGS, and is not looked at again: ftrace_shutdown() of the last ops finds it, and ftrace is dead.',
    evidence:
      'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs, ftrace_check_record (a record that is not enabled is ignored), ftrace_shutdown (FTRACE_WARN_ON_ONCE)',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1', '6.12', '7.2'],
    shows: / is left$/,
    when: ({ moment: { after } }) =>
      Object.values(after.ftrace.records).some(
        ({ count, flags }) => count === 0 && (flags & FTRACE_FL_REGS) !== 0,
      ),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; all grace periods end',
  },
  {
    name: 'graph-user-that-is-registered-twice-is-left',
    sentence:
      'register_ftrace_graph() of a registered user answers EBUSY and overwrites its index: it is not found when it is unregistered.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117  register_ftrace_graph: gops->idx is set before ftrace_startup_subops() refuses',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.12'],
    shows: / is left$/,
    when: ({ moment: { after, promises } }) =>
      promises.clients.some(
        ({ kind, object }) =>
          kind === 'graph' && after.fgraph.array[after.fgraph.gops[object]?.idx ?? 0] !== object,
      ),
    example: 'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); all grace periods end',
  },
  {
    name: 'graph-user-that-is-registered-twice-goes-on',
    sentence: 'The same user, which goes on being told of calls when it has unregistered.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117  register_ftrace_graph, unregister_ftrace_graph: fgraph_array is asked at the new index',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['6.12'],
    shows: /^gops#\d+ sees \w+ \(graph entry\) never \/ (once|\d+ times)$/,
    when: ({ finding, moment: { after } }) => after.fgraph.array.includes(finding.expected.split(' ')[0]!),
    example:
      'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); unregister_ftrace_graph(gops#1); task#1 calls f1(0x5100000071000000)',
  },
  {
    name: 'kprobe-of-another-ops-outlives-its-module',
    sentence:
      'A kprobe with a post_handler that joined one without is killed with its module through kprobe_ipmodify_ops: the ops that armed it stays registered.',
    evidence:
      'kernel/kprobes.c of 6.1.192 and 6.12.117  kill_kprobe: disarm_kprobe_ftrace() asks the post_handler which ops it is',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1', '6.12'],
    shows: / kprobe_(ftrace|ipmodify)_ops on ftrace_ops_list is left$/,
    when: ({ moment: { after, promises } }) =>
      Object.values(promises.modules).some(({ unloads }) => unloads > 0) &&
      Object.values(after.probes.armed).some((count) => count !== 0),
    example:
      'f1 [m1] = function(u64 -> u64); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); delete_module(m1); all grace periods end',
  },
  {
    name: 'direct-call-that-could-not-leave-is-not-made',
    sentence:
      'unregister_ftrace_direct(ip) that has no memory for the new filter answers ENOMEM, and has taken the entry away: the call site goes on to a handler that finds nothing.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) behind ftrace_set_filter_ip(), and the entry is removed',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['6.1'],
    shows: /^my_tramp\d sees \w+ \(direct\) (once|\d+ times) \/ never$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'register_ftrace_direct(f1, my_tramp1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_ftrace_direct(f1, my_tramp1); task#1 calls f1(0x5100000071000000)',
  },
  {
    name: 'image-of-a-task-that-does-not-return-is-left',
    sentence:
      'A task that ends in a function with a fexit program never leaves the image: its reference counter never reaches zero, and it is never freed.',
    evidence:
      'kernel/bpf/verifier.c of 6.1  check_attach_btf_id asks nothing about functions that do not return; since 6.15 and 6.12.27 noreturn_deny',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1'],
    shows: / (tramp#\d+|__bpf_tramp_image_put, waiting|the page of tramp#\d+) is left$/,
    when: ({ moment: { after } }) =>
      Object.values(after.bpf.images).some(
        ({ target, refs }) => refs > 0 && functionNamed(after.functions, target)!.noreturn,
      ),
    example:
      'f1 = function(u64 -> void) noreturn; prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); task#1 calls f1(0x5100000071000000); all grace periods end',
  },
];
