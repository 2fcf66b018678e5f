/** The meaning of a behaviour, and of each of its values; numbers and `true` need none. */
export interface BehaviourWords {
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** All behaviours of a profile, by name; a table, long on purpose. */
export const BEHAVIOUR_WORDS: Readonly<Record<string, BehaviourWords>> = {
  trampolineSlotsMax: {
    about: 'Machine words of arguments that a trampoline image supports; more is ENOTSUPP.',
  },
  arm64Arguments: {
    about: 'Which arguments an image on arm64 prepares.',
    values: {
      'registers without structs': 'up to eight words in registers; a function with a struct is refused',
      registers: 'up to eight words in registers, structs among them',
      'registers and stack': 'arguments on the stack as well',
    },
  },
  linksMax: { about: 'Programs on one trampoline, all kinds together; one more is E2BIG.' },
  imageLifecycle: {
    about: 'How a replaced image is kept for the tasks that are still in it.',
    values: {
      A: 'all images of a trampoline share a page, without a reference count (5.6 to 5.11)',
      B: 'each image has its own memory, and one nop after the original call skips all fexit programs',
      C: 'each image has its own memory, and a nop before each program skips that one',
    },
  },
  rbxSaved: {
    about: 'Where an image saves rbx.',
    values: { pushed: 'it is pushed below the frame', 'in frame': 'it is stored in a slot of the frame' },
  },
  jmpEntry: {
    about: 'An image that calls the original is entered by jmp, unless a live patch shares the function.',
  },
  imm64: {
    about: 'How an image loads a negative value of 32 bits.',
    values: { 'sign-extended': 'sign-extended, in 7 bytes', whole: 'whole, in 10 bytes' },
  },
  longestNop: { about: 'Bytes of the longest single nop.' },
  endbrInImage: { about: 'A direct stub starts with endbr64 when the kernel runs with IBT.' },
  sizePass: { about: 'An image is sized before its memory is allocated; otherwise it gets a page.' },
  safetyBytes: { about: 'Bytes that must be free in the memory of an image after its last instruction.' },
  sessions: { about: 'The kernel has fsession programs.' },
  multiLinks: {
    about: 'How one link attaches its program to many functions: one of the designs above.',
    values: { none: 'there are no multi links' },
  },
  noreturnRefused: {
    about: 'Attaching a program that runs after a function to one that does not return is EINVAL.',
  },
  wideReturnRefused: {
    about:
      'Attaching a program that reads the return value to a function that returns more than 8 bytes is EOPNOTSUPP.',
  },
  memberArgsAbove: {
    about: 'Where an image looks for the stack arguments of a struct_ops member.',
    values: {
      'a call site': 'above the return address of a call site, which there is none of',
      'the caller': 'above the return address of the caller (7.3)',
    },
  },
  ibt: { about: 'Built with IBT: a function starts with endbr64, followed by its call site.' },
  directApi: {
    about: 'The interfaces of direct calls.',
    values: {
      'ip and multi': 'by the address of a function, and by an ops (register_ftrace_direct_multi)',
      ops: "by an ops of the client's",
      'ops and hash': 'by an ops, and by tables of sites (update_ftrace_direct_add)',
    },
  },
  directReset: { about: 'An ops whose registration as a direct call failed can be registered again.' },
  directFlagsAssigned: {
    about: 'Registering a direct call sets the flags of the ops instead of adding to them.',
  },
  directLookup: {
    about: 'Where the handler of a direct call looks up the address.',
    values: { table: 'in direct_functions, by ip', ops: 'in the ops' },
  },
  directLookupGuarded: { about: 'ftrace_find_rec_direct() disables preemption while it looks up a site.' },
  singleDirectOps: {
    about: 'BPF trampolines share one ops for all their direct calls; otherwise they have one each.',
  },
  fgraph: {
    about: 'Number of function-graph users at a time.',
    values: { single: 'one', multi: 'sixteen' },
  },
  managerHashes: {
    about: 'How function graph combines the filters of its users; only where there are several.',
    values: {
      merged: 'union of the filters, intersection of the notrace hashes; a change of notrace is lost',
      rebuilt: 'again from what each user traces',
    },
  },
  filterReset: {
    about:
      'ftrace_free_filter() leaves empty hashes, and an enabled ops as it is; otherwise pointers to freed hashes.',
  },
  retfuncDepth: { about: "Frames that fit a task's shadow stack before 6.11; 0 since then." },
  shadowStackWords: { about: "Words of a task's shadow stack since 6.11; 0 before." },
  fgraphFrameWords: { about: 'Words of a frame on it, without its bitmap.' },
  graphSkipsDirectSites: {
    about: 'Function graph skips a function that has a direct call, as before 5.16.',
  },
  graphDirectModeReturns: {
    about:
      'The last of several users of function graph is called directly; otherwise never again, as before 6.12.75.',
  },
  graphReturnGuarded: {
    about: 'ftrace_return_to_handler() guards against recursion, so its users run with preemption disabled.',
  },
  kretprobe: {
    about: 'Where a kretprobe saves the return address that it replaces.',
    values: {
      rethook: 'in a node of its own pool',
      ret_stack: 'on the shadow stack of function graph, as was proposed in 2021',
    },
  },
  fprobe: {
    about: 'How fprobes are implemented.',
    values: {
      none: 'there are none',
      rethook: 'an ops each, and nodes of a pool for returns',
      fgraph: 'two users, of ftrace and of function graph, shared by all of them',
    },
  },
  kprobeErrorLost: { about: 'register_kprobe() returns 0 when the probe could not be armed.' },
  innerCallsCompared: {
    about: 'The calls in the shared entry code are not poked if they call the function already.',
  },
  kprobesSurviveFtrace: { about: 'When ftrace is dead, kprobes count as disarmed.' },
  disabledBySysctl: {
    about: 'Writing 0 to kernel.ftrace_enabled disables ftrace; without it that is EOPNOTSUPP (7.3).',
  },
  bpfEagainResetsOps: {
    about: 'A BPF trampoline that is regenerated for a live patch resets its ops, even a registered one.',
  },
  bpfIgnoresFilterErrors: {
    about: 'A BPF trampoline registers its direct call even if its filter could not be set.',
  },
  moduleHeldBy: {
    about: "What holds a reference to the target's module.",
    values: { image: 'the image that its site calls', program: 'each loaded program' },
  },
  sleepableTargets: {
    about:
      'Modules register fmod_ret sets of kfuncs; the recorded builds let sleepable programs attach to their targets.',
  },
  sleepableMembers: {
    about: 'Programs of struct_ops members may be sleepable, where their struct permits it.',
  },
  lsmReturnsChecked: {
    about:
      'A program for a hook of BPF LSM is refused with EINVAL if its return value is no answer of that hook.',
  },
  goneModule: {
    about: 'When BPF_PROG_LOAD refuses a program for a module that is gone.',
    values: {
      'refused first': 'before all else, with EINVAL',
      'not found': 'when its function is looked up, with ENOENT',
    },
  },
  cgroupKnowsBoolHooks: {
    about: 'A program of BPF LSM for cgroups that returns 0 does not deny a hook that answers 0 or 1.',
  },
  linkPut: {
    about: 'Where bpf_link_put() frees a link that may sleep.',
    values: { 'at once': 'at once', 'work item': 'in a work item' },
  },
  syscallsModifiable: {
    about: 'Without error injection, sleepable and fmod_ret programs attach to system calls.',
  },
  kprobeSession: { about: 'The kernel has kprobe.multi programs that run at entry and return.' },
  skippedSessionVetoes: {
    about:
      'A kprobe.multi session that is skipped at the entry, as another program runs on the CPU, is not called at the return.',
  },
  lateInt3Retries: {
    about: 'A trap that comes too late to find its batch is retried if memory holds no int3.',
  },
  blockedKprobeRetries: {
    about: 'When the optimiser frees a kprobe, one that it has kept from its jump is queued again.',
  },
  tracepointSection: {
    about: 'What protects the probes of a tracepoint while they run, and their array.',
    values: { 'preemption off': 'preemption is off', srcu: 'tracepoint_srcu, and preemption is on' },
  },
  faultableTracepoints: {
    about: 'The kernel has tracepoints of system calls, whose probes may fault and sleep.',
  },
  rawTracepointData: {
    about: 'The data argument of the stub of a raw tracepoint.',
    values: { prog: 'the program, at most one per tracepoint', link: 'the link' },
  },
  linkedProgPutBy: {
    about: 'What drops the reference of a closed link on its program.',
    values: { bpf_link_free: 'closing the link', dealloc: 'the callback that frees the link' },
  },
  perfProgPutUnderMutex: {
    about: 'The program of a perf event is waited for and put with bpf_event_mutex held.',
  },
  kprobePerfFuncRbx: {
    about:
      'What bpf_get_func_ip() returns to a program of kprobe.multi on the perf event of a kprobe: rbx of kprobe_perf_func().',
    values: {
      'regs->ip': 'the address after the int3 of the kprobe',
      'tp->event': 'a pointer to the struct trace_probe_event',
    },
  },
  perfMissesCounted: {
    about:
      'Programs of perf events that a hit skips, as another program runs on the CPU, are counted as missed.',
  },
  progArrayOffset: { about: 'Offset of prog_array in struct trace_event_call, in bytes.' },
  imageKeptIfUnregisterFails: {
    about: 'When the last program detaches and the call site cannot be changed, the image stays.',
  },
  preemption: {
    about: 'Where a task in the kernel can lose its CPU, as preempt= chooses at boot.',
    values: {
      full: 'anywhere with preemption enabled; preempt=lazy allows the same schedules',
      voluntary:
        'only where it calls cond_resched() or might_sleep(): in the body of a function, in a sleepable program',
      none: 'only where it calls cond_resched(): the same places of the model',
    },
  },
};
