import type { FunctionName, ProgId } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { BPF_DISPATCHER_MAX } from '../../model/dispatcher/dispatcher.ts';
import type { KernelView } from '../../model/kernel.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { LinkKind } from '../../model/trampoline/world.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** S8. */
export const referenceCountsAreExact: AttachLaw = {
  name: 'trampoline/reference-counts-are-exact',
  sentence:
    'Reference counts are exact: a trampoline has one per loaded program without a link yet, per link, and since generation C per image; a program has one per link, two per device that runs it, and one if the XDP dispatcher has it, which counts those devices; the shim of a hook has one per attachment to a cgroup; a module has one per image (6.1) or loaded program of its functions, per kprobe.multi link, and per multi link where those hold it.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_get, bpf_trampoline_put; kernel/bpf/syscall.c  bpf_tracing_prog_attach, bpf_link_put',
  witness: 'a trampoline',
  settled: true,
  judge: ({ before, after, action, outcome, faults }) => {
    const k = after;
    if (outcome.died !== undefined) return 'not applicable';
    for (const prog in k.bpf.progs) {
      if (action.do === 'close(prog)' || action.do === 'BPF_PROG_LOAD') break;
      const expected = descriptorsOf(before, Number(prog));
      const observed = descriptorsOf(k, Number(prog));
      if (expected === undefined || observed === undefined || expected === observed) continue;
      return { is: 'references-differ', of: { is: 'program', prog: Number(prog) }, expected, observed };
    }
    let witness = false;
    const wanted = referencesOf(k);
    for (const target of new Set([...Object.keys(wanted), ...Object.keys(k.bpf.trampolines)])) {
      witness = true;
      const expected = wanted[target] ?? 0;
      const observed = k.bpf.trampolines[target]?.refcnt ?? 0;
      if (expected !== observed)
        return { is: 'references-differ', of: { is: 'trampoline', target }, expected, observed };
    }
    for (const prog of faults.length > 0 ? [] : dispatched(k)) {
      witness = true;
      const expected = devicesWith(k, prog);
      const observed = k.xdp?.dispatcher.progs.find((slot) => slot.prog === prog)?.users ?? 0;
      if (expected !== observed)
        return { is: 'references-differ', of: { is: 'dispatched program', prog }, expected, observed };
    }
    for (const hook of hooksOf(k)) {
      const expected = k.bpf.cgroup?.progs[hook]?.length ?? 0;
      const observed = shimsOf(k, hook).reduce((sum, { refs }) => sum + refs, 0);
      if (expected !== observed)
        return { is: 'references-differ', of: { is: 'shim', hook }, expected, observed };
    }
    for (const module in k.text.modules) {
      const expected = holdersOf(k, module);
      const observed = entry(k.text.modules, module).refcnt;
      if (expected !== observed)
        return { is: 'references-differ', of: { is: 'module', module }, expected, observed };
    }
    return witness ? 'held' : 'not applicable';
  },
};

const HOLDS_TRAMPOLINES: Readonly<Record<LinkKind, boolean>> = {
  tracing: true,
  'tracing multi': true,
  'kprobe multi': false,
  'raw tracepoint': false,
  cgroup: false,
  'perf event': false,
};

function referencesOf(k: KernelView): Record<string, number> {
  const count: Record<string, number> = {};
  const add = (target: FunctionName) => {
    count[target] = (count[target] ?? 0) + 1;
  };
  for (const { dstTrampoline, target } of Object.values(k.bpf.progs)) if (dstTrampoline) add(target);
  for (const link in k.bpf.links) {
    const { kind, targets } = entry(k.bpf.links, link);
    const held =
      kind === 'tracing multi' ? (designOf(profileNamed(k.profile))?.held?.(k, link) ?? targets) : targets;
    if (HOLDS_TRAMPOLINES[kind]) held.forEach(add);
  }
  for (const { linked, target } of Object.values(k.bpf.cgroup?.shims ?? {})) if (linked) add(target);
  if (profileNamed(k.profile).imageLifecycle === 'C') {
    for (const target in k.bpf.trampolines)
      for (const _ of entry(k.bpf.trampolines, target).images) add(target);
  }
  return count;
}

/** Hooks with programs for a cgroup, or with a shim. */
function hooksOf({ bpf: { cgroup } }: KernelView): ReadonlySet<FunctionName> {
  const shims = Object.values(cgroup?.shims ?? {});
  return new Set([...Object.keys(cgroup?.progs ?? {}), ...shims.map(({ target }) => target)]);
}

/** The shims of a hook: more than one while an earlier one waits for its work item. */
function shimsOf({ bpf: { cgroup } }: KernelView, hook: FunctionName) {
  return Object.values(cgroup?.shims ?? {}).filter(({ target }) => target === hook);
}

/** The number of references on a module. */
function holdersOf({ profile, bpf, text }: KernelView, module: string): number {
  const { functions } = entry(text.modules, module);
  const own = profileNamed(profile);
  const multiLinksHold = designOf(own)?.modulesHeldBy === 'link';
  const links = Object.values(bpf.links).filter(
    ({ kind, targets }) =>
      (kind === 'kprobe multi' || (kind === 'tracing multi' && multiLinksHold)) &&
      targets.some((fn) => functions.includes(fn)),
  ).length;
  if (own.moduleHeldBy === 'image')
    return links + functions.filter((fn) => (bpf.trampolines[fn]?.curImage ?? '') !== '').length;
  const progs = Object.values(bpf.progs).filter(
    ({ target, btf, refs }) => refs > 0 && (btf === module || functions.includes(target)),
  );
  return links + progs.length;
}

/** The programs of devices and of the dispatcher, which has them all unless it is full or lacked memory. */
function dispatched({ xdp }: KernelView): readonly ProgId[] {
  const { devices, dispatcher } = xdp ?? { devices: {}, dispatcher: { progs: [] } };
  if (dispatcher.progs.length === BPF_DISPATCHER_MAX) return [];
  const all = [
    ...Object.values(devices).map(({ stateProg }) => stateProg),
    ...dispatcher.progs.map(({ prog }) => prog),
  ];
  return [...new Set(all)].filter((prog) => prog !== 0);
}

/** The number of devices whose packets run a program. */
function devicesWith(k: KernelView, prog: ProgId): number {
  return Object.values(k.xdp?.devices ?? {}).filter(({ stateProg }) => stateProg === prog).length;
}

/** References that devices and their dispatcher have. */
function heldByDevices(k: KernelView, prog: ProgId): number {
  const slots = (k.xdp?.dispatcher.progs ?? []).filter((slot) => slot.prog === prog);
  const read = Object.values(k.xdp?.devices ?? {}).filter(({ xdpProg }) => xdpProg === prog);
  return devicesWith(k, prog) + read.length + slots.length;
}

/** References of a program other than those of links, events, devices and its shim: its file descriptor. Undefined when it is not loaded. */
function descriptorsOf(k: KernelView, prog: ProgId): number | undefined {
  const loaded = k.bpf.progs[prog];
  if (loaded === undefined) return undefined;
  let links = 0;
  for (const link in k.bpf.links) if (entry(k.bpf.links, link).prog === prog) links++;
  const shims = Object.values(k.bpf.cgroup?.shims ?? {}).filter((shim) => shim.prog === prog);
  const events = Object.values(k.perf?.events ?? {}).filter((event) => event.prog === prog);
  return loaded.refs - links - shims.length - events.length - heldByDevices(k, prog);
}
