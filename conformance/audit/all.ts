import { ALTERNATIVE } from './alternative.ts';
import { BPF_JIT_COMP } from './bpf-jit-comp.ts';
import { STRUCT_OPS } from './bpf-struct-ops.ts';
import { BPF_TRACE } from './bpf-trace.ts';
import { CGROUP } from './cgroup.ts';
import { BPF_H, DISPATCHER, NET_CORE_DEV } from './dispatcher.ts';
import { FGRAPH } from './fgraph.ts';
import { FPROBE } from './fprobe.ts';
import { FTRACE } from './ftrace.ts';
import { FTRACE_64 } from './ftrace-64.ts';
import { JUMP_LABEL } from './jump-label.ts';
import { KPROBES } from './kprobes.ts';
import { MODULE } from './module.ts';
import { EVENTS_CORE, TRACE_EVENT_PERF, TRACE_PERF } from './perf-events.ts';
import { BPF_CORE } from './perf-programs.ts';
import { RETHOOK } from './rethook.ts';
import type { Audit } from './row.ts';
import { STATIC_CALL_INLINE } from './static-call-inline.ts';
import { SYSCALL } from './syscall.ts';
import { TRACE_KPROBE } from './trace-kprobe.ts';
import { TRACEPOINT } from './tracepoint.ts';
import { TRAMPOLINE } from './trampoline.ts';
import { VERIFIER } from './verifier.ts';
import { X86_FTRACE } from './x86-ftrace.ts';
import { X86_KPROBES } from './x86-kprobes.ts';
import { X86_KPROBES_FTRACE } from './x86-kprobes-ftrace.ts';
import { X86_KPROBES_OPT } from './x86-kprobes-opt.ts';
import { X86_RETHOOK } from './x86-rethook.ts';

/** Every file of the kernel with functions that are modelled as routines. */
export const AUDITS: readonly Audit[] = [
  FTRACE,
  FGRAPH,
  FPROBE,
  KPROBES,
  BPF_TRACE,
  EVENTS_CORE,
  TRACE_EVENT_PERF,
  TRACE_PERF,
  TRACE_KPROBE,
  BPF_CORE,
  SYSCALL,
  TRACEPOINT,
  TRAMPOLINE,
  STRUCT_OPS,
  DISPATCHER,
  BPF_H,
  NET_CORE_DEV,
  CGROUP,
  VERIFIER,
  BPF_JIT_COMP,
  MODULE,
  X86_FTRACE,
  FTRACE_64,
  ALTERNATIVE,
  X86_KPROBES,
  X86_KPROBES_FTRACE,
  X86_KPROBES_OPT,
  RETHOOK,
  X86_RETHOOK,
  STATIC_CALL_INLINE,
  JUMP_LABEL,
];
