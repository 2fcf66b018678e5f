import type { KernelObject } from '../../model/core/kernel-object.ts';
import { userOf } from '../../model/ftrace/rethook.ts';
import type { Kernel } from '../../model/kernel.ts';

/** The objects that no longer exist. */
export function freedBetween(before: Kernel, after: Kernel): KernelObject[] {
  const { tables } = before.ftrace;
  return [
    ...gone(before.text.pages, after.text.pages).map((of) => ({ is: 'code' as const, of })),
    ...freedPrograms(before, after),
    ...gone(tables.retired, after.ftrace.tables.retired).map((table) => ({
      is: 'retired table' as const,
      table: Number(table),
    })),
    ...named('ops', before.ftrace.ops, after.ftrace.ops),
    ...named('kprobe', before.probes.kprobes, after.probes.kprobes),
    ...named('optimised kprobe', before.probes.optimizer?.ops ?? {}, after.probes.optimizer?.ops ?? {}),
    ...named('kretprobe', before.probes.kretprobes, after.probes.kretprobes),
    ...named('graph ops', before.fgraph.gops, after.fgraph.gops),
    ...named('fprobe', before.probes.fprobes, after.probes.fprobes),
    ...gone(before.probes.rethooks, after.probes.rethooks).map((pool) => ({
      is: 'rethook' as const,
      name: userOf(before, pool),
    })),
  ];
}

function gone(before: object, after: object): string[] {
  return before === after ? [] : Object.keys(before).filter((name) => !(name in after));
}

type NamedObject = 'ops' | 'graph ops' | 'kprobe' | 'optimised kprobe' | 'kretprobe' | 'fprobe';

function named(is: NamedObject, before: object, after: object): KernelObject[] {
  return gone(before, after).map((name) => ({ is, name }));
}

/** The entry of a shim's program goes with it. */
function freedPrograms({ bpf: before }: Kernel, { bpf: { progs } }: Kernel): KernelObject[] {
  if (before.progs === progs) return [];
  return Object.entries(before.progs).flatMap(([number, { freed }]) =>
    freed || progs[Number(number)]?.freed === false ? [] : [{ is: 'program', number: Number(number) }],
  );
}
