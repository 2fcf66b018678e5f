import type { Audit } from './row.ts';

export const KPROBES: Audit = {
  file: 'kernel/kprobes.c',
  functions: [],
  open: [
    'register_kprobe',
    'register_kretprobe',
    'unregister_kprobe',
    '__disarm_kprobe_ftrace',
    '__arm_kprobe_ftrace',
    'unregister_kretprobe',
    'kill_kprobe',
  ],
};
