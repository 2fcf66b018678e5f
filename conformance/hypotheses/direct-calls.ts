import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { calls } from '../../properties/planted/interleavings/scenarios.ts';
import type { Hypothesis } from './hypothesis.ts';
import { newAddressesStay, nobodyIsPutOff } from './questions.ts';

const ALL = ['6.1', '6.12', '7.2'];
const WITHOUT_MULTI = ['6.12', '7.2'];

/** One more than the number of mutexes in the pool: the first and the last trampoline share one. */
const POOL = Array.from({ length: 33 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));

/** `cb` calls `f1`. */
const NESTED = [tracedFunction('cb', 43, 'u64 x2 -> u64'), tracedFunction('f1', 1, 'u64 -> u64')];

/** An ops on the same function makes calls walk the list; then a poke fails, and ftrace is dead. */
export const DIES = [
  'register_kprobe(kprobe#1, f2)',
  'the next poke in ftrace_replace_code fails',
  'unregister_kprobe(kprobe#1)',
];
const LISTED = ['ops#1 = ftrace_ops()', 'ftrace_set_filter_ip(ops#1, f1)', 'register_ftrace_function(ops#1)'];

/** On direct calls, live patches, and what both do to trampolines. */
export const DIRECT_HYPOTHESES: readonly Hypothesis[] = [
  {
    id: 'F2',
    claim:
      'When a function joins the filter of a registered IPMODIFY ops, the owner of its direct call is not queried.',
    confirmed: ALL,
    refuted: [],
    why: 'Owners are queried when the ops is registered; a change of its filter only checks for another IPMODIFY ops. The live patch and the direct call then both claim the function.',
    source:
      'kernel/trace/ftrace.c: prepare_direct_functions_for_ipmodify() from register_ftrace_function() only; ftrace_hash_ipmodify_update()',
    traces: [
      'known/second-ipmodify-function-is-not-negotiated',
      'known/second-ipmodify-function-keeps-its-body-seen-by-body-or-replacement-runs-once',
      'known/only-the-first-ipmodify-function-is-negotiated',
    ],
  },
  {
    id: 'F4',
    claim:
      'Entries of direct_functions are freed at once with direct_mutex held, while lookups walk its buckets with ftrace_lock held.',
    confirmed: ALL,
    refuted: [],
    why: 'remove_direct_functions_hash() frees each entry without a grace period, and a lookup of another function may be at it, if both are in the same bucket. Where BPF removes its direct calls in 7.2, the hash is replaced, and the old one is freed after a grace period.',
    source:
      'kernel/trace/ftrace.c: remove_direct_functions_hash(); ftrace_find_rec_direct() in ftrace_get_addr_new()',
    traces: ALL.map((kernel) => `task/known/direct-entry-is-freed-during-a-lookup.${kernel}`),
  },
  {
    id: 'F5',
    claim:
      'unregister_ftrace_direct() resets func and trampoline of an ops that could not be unregistered, because ftrace is dead, and that stays on the list.',
    confirmed: ALL,
    refuted: [],
    why: 'Its errno is returned but not checked before. A walk of the list finds an ops without a func, warns and stops there: neither the direct call nor the older ops are called.',
    source:
      'kernel/trace/ftrace.c: unregister_ftrace_direct_multi() of 6.1, unregister_ftrace_direct() of 6.12 and 7.2, __ftrace_ops_list_func()',
    played: [
      {
        kernels: ['6.1'],
        actions: [
          ...LISTED,
          'ftrace_set_filter_ip(direct#1, f1)',
          'register_ftrace_direct_multi(direct#1, my_tramp1)',
          ...DIES,
          'unregister_ftrace_direct_multi(direct#1, my_tramp1)',
          'task#1 calls f1(0x1)',
        ],
      },
      {
        kernels: WITHOUT_MULTI,
        actions: [
          ...LISTED,
          'ftrace_set_filter_ip(direct#1, f1)',
          'register_ftrace_direct(direct#1, my_tramp1)',
          ...DIES,
          'unregister_ftrace_direct(direct#1, my_tramp1)',
          'task#1 calls f1(0x1)',
        ],
      },
    ],
  },
  {
    id: 'F6',
    claim:
      'unregister_ftrace_direct() with an address other than the registered one leaves the entries in direct_functions: the functions stay busy for good.',
    confirmed: ALL,
    refuted: [],
    why: 'Only entries with the given address are removed, and the call returns 0.',
    source: 'kernel/trace/ftrace.c: remove_direct_functions_hash()',
    traces: [
      'known/direct-call-is-unregistered-with-another-address',
      'known/entry-with-another-address-stays',
    ],
  },
  {
    id: 'F9',
    claim: 'A multi link with exit programs can never be attached to a function with a live patch.',
    confirmed: [],
    refuted: ['7.2'],
    why: 'It gets EAGAIN as long as the trampoline lacks BPF_TRAMP_F_SHARE_IPMODIFY, however often it retries. A link of a single exit program sets the flag, and then the multi link succeeds. No other kernel has multi links.',
    source: 'kernel/bpf/trampoline.c of 7.2: bpf_trampoline_multi_attach(), bpf_tramp_ftrace_ops_func()',
    played: [
      {
        kernels: ['7.2'],
        actions: [
          'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)',
          'ftrace_set_filter_ip(ops#1, f1)',
          'register_ftrace_function(ops#1)',
          'prog#1 = BPF_PROG_LOAD(fexit multi)',
          'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
          'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
          'prog#2 = BPF_PROG_LOAD(fexit, f1)',
          'link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
          'link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
          'task#1 calls f1(0x1)',
        ],
      },
    ],
  },
  {
    id: 'F11',
    claim:
      'A new address for several functions does not reach them at once: one function calls the new one while another still calls the old one.',
    confirmed: ['6.1', '7.2'],
    refuted: ['6.12'],
    why: 'The entries of the hash change one after the other, and calls look them up. In 6.12 they read one word, ops->direct_call. The contract is one address or the other for each call of each function, and it holds.',
    source:
      'kernel/trace/ftrace.c: __modify_ftrace_direct(); call_direct_funcs(), which reads ops->direct_call in 6.12 and the table in the others',
    explored: [
      {
        kernels: ['6.1'],
        brokenIn: ['6.1'],
        functions: NESTED,
        setup: [
          'direct#1 = ftrace_ops(DIRECT)',
          'ftrace_set_filter_ip(direct#1, cb)',
          'ftrace_set_filter_ip(direct#1, f1)',
          'register_ftrace_direct_multi(direct#1, my_tramp1)',
        ],
        clients: [['modify_ftrace_direct_multi(direct#1, my_tramp2)']],
        callers: [calls('cb')],
        laws: [newAddressesStay],
      },
      {
        kernels: WITHOUT_MULTI,
        brokenIn: ['7.2'],
        functions: NESTED,
        setup: [
          'direct#1 = ftrace_ops(DIRECT)',
          'ftrace_set_filter_ip(direct#1, cb)',
          'ftrace_set_filter_ip(direct#1, f1)',
          'register_ftrace_direct(direct#1, my_tramp1)',
        ],
        clients: [['modify_ftrace_direct(direct#1, my_tramp2)']],
        callers: [calls('cb')],
        laws: [newAddressesStay],
      },
    ],
  },
  {
    id: 'F12',
    claim:
      'When an IPMODIFY ops is refused for one of its functions, the trampolines of the others stay as they were regenerated for it.',
    confirmed: ALL,
    refuted: [],
    why: 'Owners are queried one after the other, and those that have agreed are not notified of the failure. Their images work with and without a live patch.',
    source: 'kernel/trace/ftrace.c: prepare_direct_functions_for_ipmodify()',
    traces: ['known/peers-that-agreed-are-not-rolled-back'],
  },
  {
    id: 'F13',
    claim:
      'kernel.ftrace_enabled=0 silences BPF programs, and programs attached meanwhile succeed without effect.',
    confirmed: ALL,
    refuted: [],
    why: 'The ops of trampolines lacks FTRACE_OPS_FL_PERMANENT, which would refuse both. With 1 all of them run. No law counts this as a breach: the administrator who turns tracing off has asked for it.',
    source:
      'kernel/trace/ftrace.c: ftrace_enable_sysctl(), __register_ftrace_function(); kernel/bpf/trampoline.c',
    played: [
      {
        kernels: ALL,
        actions: [
          'prog#1 = BPF_PROG_LOAD(fentry, f1)',
          'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
          'sysctl kernel.ftrace_enabled=0',
          'task#1 calls f1(0x1)',
          'prog#2 = BPF_PROG_LOAD(fexit, f1)',
          'link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
          'task#1 calls f1(0x1)',
          'sysctl kernel.ftrace_enabled=1',
          'task#1 calls f1(0x1)',
        ],
      },
    ],
  },
  {
    id: 'F14',
    claim:
      'A live patch gets EAGAIN because of an operation on the trampoline of another function, which has the same mutex.',
    confirmed: ['7.2'],
    refuted: ['6.1', '6.12'],
    why: 'In 7.2 all trampolines share 32 mutexes, and a queried owner only trylocks its own. In the model the first function and the 33rd share one; in the kernel any two do in one of 32 cases. In the other kernels each trampoline has its own mutex.',
    source: 'kernel/bpf/trampoline.c of 7.2: select_trampoline_lock(), bpf_tramp_ftrace_ops_func()',
    explored: [
      {
        kernels: ALL,
        brokenIn: ['7.2'],
        functions: POOL,
        setup: [
          'prog#1 = BPF_PROG_LOAD(fexit, f1)',
          'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
          'prog#2 = BPF_PROG_LOAD(fentry, f33)',
          'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)',
          'ftrace_set_filter_ip(ops#1, f1)',
        ],
        clients: [['link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)'], ['register_ftrace_function(ops#1)']],
        callers: [],
        laws: [nobodyIsPutOff],
      },
    ],
  },
];
