/*
 * Reasons of the audit that several rows have. Each says why no client of the model can observe the difference, or
 * which sentence of docs/scope.md excludes it.
 */

export const FIRST_FAILURE =
  'allocations that end the function alike are one part of the model, the first: those that follow it do not fail';

export const NO_MEMORY_LEFT = 'the memory of a failed call is not in the state: nothing can reach it';

export const ONE_STEP =
  'what the lock protects is one step of the model: no other actor sees a state in between';

export const NOT_COMPILED = 'not compiled: the configurations of the recorded kernels exclude it';

export const NEVER_FAILS = 'the function that it tests always answers 0 on x86-64';

export const TRACING_FILES =
  'docs/scope.md, not modelled: `current_tracer`, instances that go, filters by command (`:mod:`) and by index';

export const IDLE =
  'no call of the model is made where RCU is not watching (idle code, entry from user mode)';

export const HOTPLUG = 'docs/scope.md, not modelled: CPU hotplug and suspend, with their locks and callbacks';

export const GRAPH_PAUSE = 'no code of the model pauses the graph tracer of its task';

export const NO_NEW_TASK = 'no task of the model is created while a user is registered';

export const INDEX_ONCE = 'the model releases an index once, and only one that it has given out';

export const DISABLED_PROBE =
  'no client disables an fprobe: only events of tracefs do (docs/scope.md, not modelled: the files of tracefs)';

export const TABLE_OF_FPROBES =
  'rhltable_insert() needs memory only when fprobe_ip_table grows, which the few functions of a sequence do not reach';

export const NODES_OF_A_REGISTERED =
  'unregister_fprobe_async() has found the fprobe in the table, with its nodes';

export const MAPPED = 'text of the model is always mapped, and its entry code is as it was compiled';

export const NOT_BY_THIS_PATH =
  'x86-64 has a ftrace_replace_code() of its own; only a module that is loaded comes this way, by ftrace_make_call()';

export const INT3_IN_ONE_STEP =
  'docs/scope.md, not modelled: what comes between the two exceptions of a kprobe that is an int3';

export const USER_MODE = 'no code of the model runs in user mode';

export const POKES_INT3 = 'no poke of the model writes an int3 as its instruction';

export const LOADER =
  'the file of a module, its sections, its memory and the permission to load it are not modelled: it loads';

export const OTHER_STATES =
  'MODULE_STATE_COMING, _UNFORMED and _GOING are not in the state: module_mutex is held over the whole call';

export const INIT_FUNCTIONS = 'docs/scope.md, not modelled: the init and exit functions of modules';

export const FEW_FUNCTIONS = 'a module of the model has fewer than 128 functions';

export const RECORDS_OF_A_MODULE =
  'docs/scope.md, known differences: the records of a module are always there';

export const WRITES_A_BIT = 'the model writes 0 or 1, which proc_dointvec() takes';

export const ENTRY_OF_ANOTHER =
  'a table of a client that names sites of another ops is misuse (model/client/direct-table.ts namesOthers)';

/** What rows rest on for 7.2 where its source was not at hand. */
export const READ_IN_6_12 = 'not in the source of 7.2.13 that was read: the rows are those of 6.12.117';

export const NO_REGFUNC = 'docs/scope.md, tracepoints: regfunc() and unregfunc() are not modelled';

export const BRANCHES_REACH =
  'the model puts images and programs within 2 GiB of all text, as the kernel does: such a branch reaches its target';

export const ONLY_ADDRESSES =
  'a probe of the model names a function, whose address is known: no symbol is looked up';

export const NOT_OUTER_LOCKS =
  'model/README.md, locks: nothing in the model waits for cpus_read_lock or jump_label_mutex';

export const NO_SLOT = 'docs/scope.md: the instruction is executed at its place, not as a copy in a slot';

export const DETOUR_ALWAYS =
  'docs/scope.md: a detour is made whenever its instructions allow one, and memory for it does not fail';

export const NOT_ALL_DISARMED = 'docs/scope.md, not modelled: `kprobes/enabled` of debugfs';

export const NO_ANSWERS = 'docs/scope.md, not modelled: return values of kprobe handlers';

export const NO_RESERVED_TEXT =
  'the functions of a trace are on no blacklist, and their entries hold nothing but the call site';

/** What rows rest on for 7.2: source of the file was not at hand, and its code was disassembled. */
export const DISASSEMBLED =
  'the disassembly of 7.2.13 (calls, their order, their conditions), by the symbols of its kallsyms';

export const BTF_OF_THE_KERNEL =
  'a trace names functions; each that is declared has a name, a type and a prototype in the BTF of the kernel';

export const DENY_LIST =
  'it has functions of RCU, of preemption and of migration alone: a function of a trace is none of them';

export const EXTENSION_FITS =
  'docs/scope.md, extensions: the signature and the properties of an extension fit its target';

export const ONE_CGROUP =
  'docs/scope.md, BPF LSM: one cgroup, that of all tasks, to which links alone attach, in their order';

export const NO_OTHER_TYPES =
  'docs/scope.md: the model loads tracing programs, extensions, and those of kprobe.multi and of tracepoints';

export const TARGETS_FROM_BOOT =
  'docs/scope.md: BPF programs as targets exist from boot, as JITed functions that may be attached to';

export const LINKED_ONCE =
  'the node is embedded in its link, which bpf_link_create() makes for a single attach';

export const PRIVATE_STACKS =
  'docs/scope.md: private stacks, whose programs have such a hook, are not modelled';

export const CHARGED = 'clients of the model have CAP_BPF, which the limit does not bind';

export const ADDRESS_IS_KNOWN = 'register_fentry() comes here for sites that ftrace_location() knows only';

export const NOTHING_CHANGED_YET =
  'ENOMEM before ftrace is called: the answer and the state are those of an allocation of the same call that the model has';

export const ONE_EVENT =
  'docs/scope.md: a perf event of the model is one on a tracepoint, alone, of all tasks of a CPU';

export const NO_SAMPLES = 'docs/scope.md: samples and counts of a perf event are not modelled';

export const ATTRIBUTES =
  'a trace fills in the attributes of the system call rightly: no unknown flag, field or name';

export const NO_TOKENS = 'clients of the model have all capabilities, and no BPF token';

export const USER_MEMORY = 'the memory of a client of the model can always be read';

export const FDS_AND_IDS =
  'descriptors, ids and files do not run out in the model; the failure leaves what a failed allocation of the link does';

export const TARGET_FD = 'docs/scope.md, extensions: target_fd is not modelled';

export const DEVICES =
  'docs/scope.md, XDP programs: generic mode, by file descriptor alone, of devices with no other above them';

export const LOCAL_KPROBE =
  'docs/scope.md: the kprobe of a perf event is of that event alone, and no kprobe event of tracefs';

export const NO_OVERRIDE = 'no program of the model calls bpf_override_return()';
