/** What a behaviour is about, and what each of its values means; numbers and `true` mean what it is about. */
export interface BehaviourWords {
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** All behaviours of a profile, by name; a table, long on purpose. */
export const BEHAVIOUR_WORDS: Readonly<Record<string, BehaviourWords>> = {
  trampolineSlotsMax: {
    about: 'Machine words of arguments that a trampoline image can carry; more is ENOTSUPP.',
  },
  arm64Arguments: {
    about: 'Which arguments an image on arm64 prepares.',
    values: {
      'registers without structs': 'up to eight words in registers; a function with a struct is refused',
      registers: 'up to eight words in registers, structs among them',
      'registers and stack': 'what lies on the stack as well',
    },
  },
  linksMax: { about: 'Programs on one trampoline, all kinds together; one more is E2BIG.' },
  imageLifecycle: {
    about: 'How an image is kept from tasks that are still in it when it is replaced.',
    values: {
      A: 'all images of a trampoline share a page, and nothing counts who is in them (5.6 to 5.11)',
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
  sizePass: { about: 'An image is measured before memory is taken for it; otherwise it gets a page.' },
  safetyBytes: { about: 'Bytes that the memory of an image must have left after its last instruction.' },
  sessions: { about: 'There are fsession programs.' },
  multiLinks: {
    about: 'How one link attaches its program to many functions: one of the designs above.',
    values: { none: 'it does not' },
  },
  noreturnRefused: {
    about: 'Attaching a program that runs after a function to one that does not return is EINVAL.',
  },
  wideReturnRefused: {
    about:
      'Attaching a program that reads the return value to a function that returns more than 8 bytes is EOPNOTSUPP.',
  },
  ibt: { about: 'It is built with IBT: a function starts with endbr64, and its call site comes after it.' },
  directApi: {
    about: 'The interfaces of direct calls.',
    values: {
      'ip and multi': 'by the address of a function, and by an ops (register_ftrace_direct_multi)',
      ops: "by an ops of the client's",
      'ops and hash': 'by an ops, and by tables of sites (update_ftrace_direct_add)',
    },
  },
  directReset: { about: 'An ops whose registration as a direct call failed can be registered once more.' },
  directFlagsAssigned: {
    about: 'Registering a direct call sets the flags of the ops instead of adding to them.',
  },
  directLookup: {
    about: 'Where the handler of a direct call finds the address.',
    values: { table: 'in direct_functions, by ip', ops: 'in the ops' },
  },
  directLookupGuarded: { about: 'ftrace_find_rec_direct() forbids preemption while it looks a site up.' },
  singleDirectOps: {
    about: 'BPF trampolines share one ops for all their direct calls; otherwise they have one each.',
  },
  fgraph: {
    about: 'Users that function graph has at a time.',
    values: { single: 'one', multi: 'sixteen' },
  },
  retfuncDepth: { about: "Frames that fit a task's shadow stack before 6.11; 0 since then." },
  shadowStackWords: { about: "Words of a task's shadow stack since 6.11; 0 before." },
  fgraphFrameWords: { about: 'Words of a frame on it, without its bitmap.' },
  graphSkipsDirectSites: {
    about: 'Function graph passes over a function that has a direct call, as before 5.16.',
  },
  graphReturnGuarded: {
    about:
      'ftrace_return_to_handler() guards itself against recursion, and so its users run without preemption.',
  },
  kretprobe: {
    about: 'Where a kretprobe keeps the return address that it has replaced.',
    values: {
      rethook: 'in a node of its own pool',
      ret_stack: 'on the shadow stack of function graph, as was proposed in 2021',
    },
  },
  fprobe: {
    about: 'What fprobes are made of.',
    values: {
      none: 'there are none',
      rethook: 'an ops each, and nodes of a pool for returns',
      fgraph: 'two users, of ftrace and of function graph, that all of them share',
    },
  },
  kprobeErrorLost: { about: 'register_kprobe() returns 0 when the probe could not be armed.' },
  kprobesSurviveFtrace: { about: 'When ftrace has died, kprobes take themselves for disarmed.' },
  bpfEagainResetsOps: {
    about:
      'A BPF trampoline that is to be made again for a live patch resets its ops, even when that is registered.',
  },
  bpfIgnoresFilterErrors: {
    about: 'A BPF trampoline registers its direct call although its filter could not be set.',
  },
  moduleHeldBy: {
    about: 'What holds the module that a target is in.',
    values: { image: 'the image that its site leads to', program: 'each loaded program' },
  },
  sleepableTargets: { about: 'The recorded builds let sleepable programs attach to their targets.' },
  kprobeSession: { about: 'There are kprobe.multi programs that see entry and return.' },
  lateInt3Retries: {
    about: 'A trap that came too late to find its batch is executed once more if memory holds no int3.',
  },
  tracepointSection: {
    about: 'What protects the probes of a tracepoint while they run, and their array.',
    values: { 'preemption off': 'preemption is off', srcu: 'tracepoint_srcu, and preemption is on' },
  },
  faultableTracepoints: { about: 'There are tracepoints of system calls, whose probes may fault and sleep.' },
  rawTracepointData: {
    about: 'What the stub of a raw tracepoint is given as data.',
    values: { prog: 'the program, of which there can be one a tracepoint', link: 'the link' },
  },
  progArrayOffset: { about: 'Offset of prog_array in struct trace_event_call, in bytes.' },
  imageKeptIfUnregisterFails: {
    about: 'When the last program leaves and the call site cannot be changed, the image stays.',
  },
};
