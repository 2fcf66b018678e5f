import fc from 'fast-check';
import type { Profile } from '../../../model/core/profile.ts';
import type { Weighed } from './weighed.ts';
import { actions, named, weighed } from './weighed.ts';

const gops = named('gops', 3);
const kprobe = named('kprobe', 3);
const kretprobe = named('kretprobe', 2);
const fprobe = named('fprobe', 2);

/** Function graph, kprobes, kretprobes, fprobes. */
export function probeActions(
  { fprobe: backend }: Profile,
  ip: fc.Arbitrary<string>,
  ips: fc.Arbitrary<readonly string[]>,
): Weighed[] {
  const fprobes = backend === 'none' ? 0 : 1;
  return [
    actions(4, 'register_ftrace_graph', { gops }),
    actions(3, 'unregister_ftrace_graph', { gops }),
    actions(5, 'register_kprobe', { kprobe, ip, post: fc.boolean() }),
    actions(4, 'unregister_kprobe', { kprobe }),
    actions(3, 'register_kretprobe', {
      kretprobe,
      ip,
      maxactive: fc.constantFrom(1, 2, 0),
      entryHandler: fc.boolean(),
    }),
    actions(2, 'unregister_kretprobe', { kretprobe }),
    weighed(3 * fprobes, fprobeRegistrations(ips)),
    actions(2 * fprobes, 'unregister_fprobe', { fprobe }),
  ];
}

/** An fprobe has at least one handler. */
function fprobeRegistrations(ips: fc.Arbitrary<readonly string[]>) {
  const handlers = fc.constantFrom([true, true], [true, false], [false, true]);
  return fc.tuple(fprobe, ips, handlers).map(([name, sites, [entry = false, exit = false]]) => ({
    do: 'register_fprobe_ips' as const,
    fprobe: name,
    ips: sites,
    entry,
    exit,
  }));
}
