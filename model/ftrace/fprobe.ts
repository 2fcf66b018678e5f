import type { FprobeId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { registerOnGraph, unregisterOnGraph } from './fprobe-graph.ts';
import { registerOnRethook, unregisterOnRethook } from './fprobe-rethook.ts';
import type { FprobeArgs, ProbeWorld } from './probes.ts';

/** register_fprobe_ips(), as the kernel has it. */
export const registerFprobeIps = routine<ProbeWorld, FprobeArgs>(
  'register_fprobe_ips',
  ({ refuse, when, call }) => [
    refuse('EOPNOTSUPP', 'no fprobes in this kernel', (k) => profileNamed(k.profile).fprobe === 'none'),
    when(
      'on rethook',
      (k) => profileNamed(k.profile).fprobe === 'rethook',
      [call(registerOnRethook, (_, locals) => ({ ...locals }))],
      [call(registerOnGraph, (_, locals) => ({ ...locals }))],
    ),
  ],
);

export const unregisterFprobe = routine<ProbeWorld, { fprobe: FprobeId; async?: boolean }>(
  'unregister_fprobe',
  ({ refuse, when, call }) => [
    refuse('EOPNOTSUPP', 'no fprobes in this kernel', (k) => profileNamed(k.profile).fprobe === 'none'),
    when(
      'on rethook',
      (k) => profileNamed(k.profile).fprobe === 'rethook',
      [call(unregisterOnRethook, (_, { fprobe }) => ({ fprobe }))],
      [call(unregisterOnGraph, (_, { fprobe, async = false }) => ({ fprobe, async }))],
    ),
  ],
);
