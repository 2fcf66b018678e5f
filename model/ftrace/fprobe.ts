import type { FprobeId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { registerOnGraph, unregisterOnGraph } from './fprobe-graph.ts';
import { registerOnRethook, unregisterOnRethook } from './fprobe-rethook.ts';
import type { FprobeArgs, ProbeWorld } from './probes.ts';

/*
 * Fprobes: handlers at the entry and the return of many functions, for kprobe.multi links and tracing events. Two
 * implementations share one interface: on rethook (5.18 to 6.13) and on function graph (6.14 and later).
 */

/** register_fprobe_ips() of the profile; 6.1 as recorded has no CONFIG_FPROBE and answers EOPNOTSUPP. */
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

/** unregister_fprobe(); the asynchronous variant exists on function graph only. */
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
