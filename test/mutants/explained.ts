import type { Reasons } from './table.ts';

/**
 * Survivors that no law has to kill, and why: an equivalent mutant, or a fault that no client can observe. A survivor
 * that is not listed here is a hole in the laws or in the draws.
 */
export const EXPLAINED: Reasons = {
  'ftrace_startup_subops/swap/ftrace_ops_init':
    'equivalent: ftrace_ops_init() does nothing to an ops that is initialised, as one that is enabled is',
  'register_ftrace_direct/swap/direct_functions is empty':
    'equivalent: whichever of the two lacks memory, the answer is ENOMEM, and the table that is left is empty',
  'tracepoint_add_func/swap/there was another in front':
    'equivalent: the snapshot and the release both come after the new array is published, and neither reads what the other writes',
  'register_kretprobe/swap/stop the pool':
    'equivalent: no call comes to a kprobe whose registration was refused, so that no node of its pool is in use',
  'bpf_gtrampoline_link_prog/swap/the target is a BPF program':
    'a design may choose among its errnos for a target that has several reasons, and nothing has been changed before',
  'unregister_fentry/errno/the call site could not be changed':
    'closing a link comes here, which answers 0 whatever the errno; the WARN of the kernel does not print it',
  'model/ftrace/direct-ip-modify.ts/hasOtherSites/comparison/item(k.ftrace.directFuncs, findDirectFunc(k, oldAddr)).co…':
    'only an allocation more: any call that attaches or changes may lack memory',
  'model/ftrace/fprobe-users.ts/removeIps/comparison/ips.length > 0':
    'equivalent: a filter that no function leaves is replaced by its equal',
  'model/ftrace/module.ts/letGo/condition/k.ftrace.disabled (2)':
    'nothing is freed between this grace period and the next one, which is of the same flavour',
  'model/text/poke.ts/keepOlderWithin/comparison/Math.max(other + 1, first) < Math.min(end, first + bytes)':
    'equivalent: what is kept of a place that is not written is what memory has there',
  'model/text/view.ts/torn/constant/0':
    'equivalent: where the instructions before and after a change are one, no pair of a head and a tail is another',
  'model/ftrace/run/optimized-callback.ts/fillIn/constant/8':
    'no handler reads sp, and the detour does not restore it from there',
  'ftrace_shutdown_subops/invert/both hashes are made at once':
    'other allocations of the same call: each of them may fail',
  'ftrace_startup_subops/swap/combine the hashes':
    'equivalent: the hashes are made of those of the manager and of the new subops, whatever is on the list',
  'perf_event_attach_bpf_prog/argument/bpf_prog_array_copy':
    'equivalent: a program that is included is not in the array, or the call is refused: nothing is there to be excluded',
  'bpf_trampoline_skip_prog (multi)/swap/images do not skip':
    'equivalent: images that do not skip have no place at which bpf_trampoline_skip_prog() pokes them',
  'model/trampoline/stage/cells.ts/OUTER_CONTEXT_ADDRESS/arithmetic/DATA_BYTES - 64':
    'equivalent: images save and restore the run context of an outer program, and follow it nowhere',
  'model/trampoline/traced-function.ts/modulesAtBoot/constant/0 (2)':
    'equivalent: the count of unloads only keeps the addresses of a gone module apart, in the model and in the contract',
  'model/trampoline/trampoline.ts/trLock/constant/0': 'equivalent: every function has a number',
  'model/trampoline/designs/split-trampoline.ts/bpfTrampolineSplit/constant/false':
    'a design with one defect less: a copy runs its programs in the order of the original',
  'model/trampoline/stage/create-stage.ts/writePad/arithmetic/address.lo - region.base.lo':
    'only recorded images call stubs at addresses of their own',
  'perf_trace_X/swap/trace_call_bpf':
    'equivalent: what hits the tracepoint again while its programs run is in another context, which has a bit of its own',
  'kfunc_md_put/swap/there is no metadata': 'equivalent: every function that is put has metadata',
  'ftrace_return_to_handler/drop/stop the tracer':
    'no kernel comes here: every return that is followed has a frame',
  'model/x86/decode/one-byte.ts/decodeOneByte/constant/8 (2)':
    'equivalent: a trap has no operand whose size is read',
  'model/x86/generic/branch.ts/mayBranch/comparison/tag >= ZERO_TEST':
    'equivalent: groups are numbered from 1, and a test for zero is that mark plus a group',
  'model/x86/create-machine.ts/createMachine/constant/0 (3)':
    'equivalent: the lowest bit of the control groups is that of group 0, which no value has',
  'model/x86/link.ts/isBreakpoint/constant/0': 'equivalent: rows come after the registers, none is at 1',
  'model/x86/template-family.ts/length/constant/0n':
    'equivalent: where a template lies decides its displacement alone, which each emission overwrites',
  'model/x86/template-family.ts/template/constant/true (3)':
    'equivalent: bytes 8 to 11 of a template are part of an immediate or a displacement, which each emission overwrites',
  'model/ftrace/run/hooks.ts/returnPlace/constant/16':
    'equivalent: the offset of a body has one digit in any base',
  'fprobe_fgraph_entry/swap/there is space':
    'equivalent: preemption is off in any case, from ftrace_test_recursion_trylock() to the end of the entry',
  'model/trampoline/designs/shared-link.ts/SHARED_COUNTS/constant/1': 'only costs',
  "model/trampoline/designs/batch.ts/batch/logic/stage === 'get' && isInMulti(k, target)":
    'a design may choose for which functions of its links it refuses a program of one function',
  'model/tracepoint/execute-stub.ts/distinct/constant/0':
    'equivalent: any value of which every byte is set will do',
  'model/trampoline/designs/global/kfunc-md-link.ts/LINK_COUNTS/constant/1': 'only costs',
  'model/trampoline/prog-load.ts/bpfProgLoad/comparison/functionsHeld(k, locals).length > 0 (2)':
    'equivalent: of no function no module is put',
  'kfunc_md_bpf_link/shorten late/lock kfunc_md_mutex': 'equivalent: each caller holds global_tr_lock',
  '__bpf_trampoline_unlink_prog (extension)/drop/the call site still calls the extension':
    'closing a link comes here, which answers 0 whatever the errno, and warns at most',
  'perf_event_detach_bpf_prog/drop/bpf_prog_array_copy':
    'only an allocation less: any call that attaches or changes may lack memory',
  'ftrace_hash_move_and_update_subops/drop/intersect_hashes':
    'only an allocation less: the hashes themselves are combined in one step',
  'ftrace_regex_write/drop/ftrace_ops_init': 'equivalent: the ops of the files is initialised at boot',
  'unregister_kprobe/swap/free the aggregate':
    'equivalent: the slot is given back in the background, after a grace period in either order',
  'ftrace_startup_subops/drop/free the hashes':
    'only after a failure: the next user of function graph copies its hashes over those that were left',
  'model/trampoline/stage/groups.ts/RETURN/constant/13':
    'a name of the judge: it would take one origin for the other, and a right image does not mix them up',
  'kfree_rcu(kfunc_md_array)/swap/wait for rcu':
    'equivalent: the resize has waited for the lookups in the old array before it hands that over',
  'unregister_ftrace_direct(ip)/drop/not a call site':
    'equivalent: an address without a record has no direct call, which is ENODEV as well',
  'register_fprobe_ips (rethook)/swap/fprobe_fail_cleanup':
    'equivalent: the fprobe is forgotten and the filter of its ops is freed, and neither reads the other',
  'tramp_state_revert/swap/read its programs':
    'equivalent: the programs of one part are read, and the other one is destroyed',
  'bpf_tramp_image_put/swap/its half is used again':
    'equivalent: kernels whose images share pages do not skip fexit programs',
  'bpf_trampoline_unregister/swap/the old image is unused':
    'a design with one defect less: the image of sites that could not be changed is not freed',
  'proc_kprobes_optimization_handler/drop/wait for rcu_tasks':
    'equivalent between calls: the optimiser takes the jumps away before its own grace period',
  'bpf_tramp_update_set: rollback/invert/the last program has left':
    'the sound design breaks the same laws at that call: a change that fails is its listed breach',
  'model/trampoline/designs/multi-ids-sites.ts/bpfTrampUpdateSet/constant/0 (2)':
    'the sound design breaks the same laws at that call: a change that fails is its listed breach',
  'bpf_trampoline_multi_attach/swap/bpf_trampoline_remove_prog':
    'equivalent: no site calls the image that is put then, whether the program is skipped in it or not',
  'bpf_trampoline_multi_unlink_prog/drop/clear multi_node':
    'a design may refuse a program that was linked before for a reason of its own',
  'bpf_trampoline_split (in place)/swap/part of one function':
    'equivalent: a split has a part of one function, or a rest to divide, never both',
  'create_local_trace_kprobe/errno/ftrace does not know the function':
    'only a dead ftrace does not know a function that has a symbol, and the errnos of its callers are not judged',
  'ftrace_return_to_handler/drop/call it': 'no kernel comes here: every return that is followed has a frame',
  'model/ftrace/fprobe-rethook.ts/unregisterOnRethook/logic/exit && prog === 0':
    'only a second unregistration reads it, and that of an fprobe with an exit_handler is a listed breach',
  "model/ftrace/optprobe.ts/keepsJump/comparison/op.list === 'unoptimizing'":
    'equivalent between calls: each of them waits until the optimiser has no list',
  'model/ftrace/run/kprobe-int3.ts/isGone/constant/1':
    'only a task that has taken an int3 while its kprobe is disarmed comes here',
  'model/text/view.ts/withLag/constant/0':
    'a CPU has fewer fetches to choose from, and no law is broken by what it does not do',
  'model/trampoline/stage/spec.ts/regionSpecs/comparison/base !== undefined':
    'only recorded images read structures at addresses of their own',
  'model/x86/decode/cursor.ts/take/constant/0':
    'equivalent: what is read past the end belongs to a decoding that has failed',
  'model/x86/generic/compute.ts/high/constant/0 (2)': 'equivalent: the multiplication overwrites all of it',
  'model/x86/template.ts/JA_NEAR/constant/0n':
    'equivalent: the displacement of a template is overwritten by each emission',
  'perf_trace_event_unreg/drop/wait for rcu_tasks_trace':
    'equivalent: its per-CPU lists, which are freed then, are read with preemption off',
  'unregister_ftrace_function/argument/cleanup_direct_functions_after_ipmodify':
    'a kernel with one call less: what was not unregistered has nothing to give back',
  'model/x86/flags.ts/SPLIT/constant/30': 'equivalent: bit 31 is as free as bit 30',
  'model/x86/template.ts/SHIFT_RIGHT_GS/constant/0x11':
    'equivalent: the count of a template is overwritten by each emission',
  'model/ftrace/subops-hashes.ts/everything/logic/old.filter.length === 0 || added.filter.length === 0':
    'equivalent: a union with an empty filter, which means every function, is empty as well',
  'register_ftrace_direct(ip)/drop/wait for rcu_tasks (2)':
    'outside the bound: the call that fails there breaks another law in a listed way, and the sequence ends',
  'model/ftrace/record.ts/FTRACE_REF_MAX/constant/1':
    'outside the bound: half a million users of one function',
  'model/x86/alu.ts/flagsTag/logic/b.tagLo !== CONSTANT4 || b.tagHi !== CONSTANT4':
    'outside the bound: a comparison with a zero of which one half is a constant, and the other an argument',
  'model/trampoline/designs/multi-link.ts/imagesOf/logic/owner === undefined || kept.includes(image)':
    'outside the bound: an image of several functions that is kept while another with the same program is put',
  'model/trampoline/designs/function-graph-hit.ts/FRAME_BYTES/constant/112':
    'the frame of a C function is as large as its compiler makes it',
  'model/ftrace/entry/caller.ts/emitDirect/arithmetic/FRAME_BYTES + FLAGS_BYTES':
    'outside the bound: the code is generated for many kernels, and few inputs execute this path of it',
  'model/ftrace/rethook.ts/rethookTryGet/condition/k.probes.stalePools?.includes(name)':
    'outside the bound: it comes after a listed breach, which ends the sequence',
  'model/ftrace/subops-hashes.ts/nextHashes/condition/isRebuilt(k)':
    'makes 7.2 do what 6.12 does, a breach that is listed for both',
  'model/tracepoint/perf-probe.ts/emitGrabbedArguments/arithmetic/8 * i':
    'only the size of this code is printed, beside that of the stubs',
};
