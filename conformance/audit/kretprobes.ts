import { ONLY_ADDRESSES } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { ALL, allocates, defers, gotos, locks, modelled, omitted, returns, waits } from './row.ts';

/** Kretprobes with CONFIG_KRETPROBE_ON_RETHOOK, as all recorded kernels have it; kernel/kprobes.c. */
export const KRETPROBES: readonly AuditedFunction[] = [
  {
    fn: 'register_kretprobe',
    in: ALL,
    rows: [
      returns(
        ALL,
        'EINVAL of kprobe_on_func_entry(): the address is not the entry of a function',
        modelled('register_kretprobe: the address is no function entry'),
      ),
      returns(ALL, 'the errno of _kprobe_addr() for a symbol', omitted(ONLY_ADDRESSES)),
      returns(
        ALL,
        'ENOENT of _kprobe_addr(): kallsyms has nothing at the address',
        modelled('register_kretprobe: no symbol has the address'),
      ),
      locks(
        ALL,
        'kprobe_mutex: warn_kprobe_rereg(), for a kretprobe that names an address',
        modelled('register_kretprobe: lock kprobe_mutex'),
      ),
      returns(
        ALL,
        'EINVAL with a WARN: the kprobe of the kretprobe is in the table',
        modelled('register_kretprobe: the kretprobe is registered'),
      ),
      returns(
        ALL,
        'EINVAL: kretprobe_blacklist has the address',
        omitted('it has __switch_to() alone: a function of a trace is another one'),
      ),
      returns(
        ALL,
        'E2BIG: data_size over KRETPROBE_MAX_DATA_SIZE (4,096)',
        omitted('a kretprobe of the model has no data of its own'),
      ),
      allocates(
        ALL,
        'the rethook and its nodes: ENOMEM (6.1: node by node, with rethook_free() after the first that lacks)',
        modelled('register_kretprobe: allocate the pool of return hooks'),
      ),
      gotos(
        ALL,
        'none, but the same end: register_kprobe() failed, rethook_free()',
        modelled('register_kretprobe: roll back'),
      ),
      defers(ALL, 'call_rcu() in that rethook_free()', modelled('register_kretprobe: free the pool')),
      allocates(
        ALL,
        'no memory of the kernel: shadow stacks for all tasks, where kretprobes are on function graph (kretprobe = ret_stack, as proposed in 2021)',
        modelled('register_kretprobe: allocate shadow stacks for all tasks'),
      ),
      returns(ALL, 'EOPNOTSUPP: a kernel without CONFIG_KRETPROBES', omitted('the recorded kernels have it')),
    ],
  },
  {
    fn: 'unregister_kretprobe',
    in: ALL,
    rows: [
      locks(
        ALL,
        'kprobe_mutex: __unregister_kprobe_top() and rethook_free()',
        modelled('unregister_kretprobe: lock kprobe_mutex'),
      ),
      defers(
        ALL,
        'call_rcu() in rethook_free(), also where the kprobe could not be disarmed',
        modelled('unregister_kretprobe: free the pool'),
      ),
      waits(
        ALL,
        'synchronize_rcu(), with kprobe_mutex released',
        modelled('unregister_kretprobe: wait for rcu'),
      ),
    ],
  },
];
