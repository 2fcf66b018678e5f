import type { BpftoolLink } from './bpftool.ts';
import { ownerWords, programWords } from './bpftool.ts';
import type { ListedKprobe } from './kprobe-list.ts';
import type { RunningMachine } from './machine.ts';

/** What holds a function's call site, and how a client of the model attaches the same. */
export interface Holder {
  /** As a report names it: `live patch livepatch_fix`. */
  readonly words: string;
  /** How it is taken off. */
  readonly detach: string;
  /** Calls that attach it, in the language of traces. */
  readonly calls: readonly string[];
}

/** The holders of a function, and sentences on what is not known of them. */
export interface Held {
  readonly holders: readonly Holder[];
  readonly notes: readonly string[];
}

/**
 * Everything that the files name, in the order in which it is attached in the model: what a live patch shares a function
 * with comes before it. `fn` is the function's name in the model.
 */
export function holdersOf(machine: RunningMachine, fn: string): Held {
  const parts = [
    kprobesOf(machine, fn),
    directOf(machine, fn),
    patchesOf(machine, fn),
    multiLinksOf(machine, fn),
  ];
  return {
    holders: parts.flatMap(({ holders }) => holders),
    notes: [...machine.missing, ...missingLinks(machine), ...parts.flatMap(({ notes }) => notes)],
  };
}

function missingLinks({ bpftool }: RunningMachine): string[] {
  return 'missing' in bpftool ? [bpftool.missing] : [];
}

function linksOf({ bpftool }: RunningMachine): readonly BpftoolLink[] {
  return 'missing' in bpftool ? [] : bpftool.links;
}

/** `BPF link 31, program 41 on_read of bpftrace (812)`. */
function linkWords({ bpftool }: RunningMachine, link: BpftoolLink, kind: string): string {
  if ('missing' in bpftool || link.prog_id === undefined) return `BPF link ${link.id}, ${kind}`;
  return `BPF link ${link.id}, ${kind} ${programWords(link.prog_id, bpftool)}${ownerWords(link)}`;
}

/** A link of these kinds has no detach command (BPF_LINK_DETACH): it ends with the last descriptor or pin. */
function detachLink({ id, pids = [], pinned = [] }: BpftoolLink): string {
  const ends = [
    ...pids.map(({ pid, comm }) => `end ${comm} (${pid})`),
    ...pinned.map((path) => `rm ${path}`),
  ];
  const how = ends.length === 0 ? 'bpftool -f link shows where it is pinned' : ends.join(', ');
  return `close BPF link ${id}: ${how}`;
}

/** Kprobes at the call site; those of a perf event with a BPF program by their link. */
function kprobesOf(machine: RunningMachine, fn: string): Held {
  const { probes, enabled, patches } = machine;
  if (probes === undefined) return unlistedKprobe(machine, fn);
  const there = probes.filter(({ isGone }) => !isGone);
  const isChanged =
    enabled?.flags.includes('I') === true && !patches.some(({ isOnFunction }) => isOnFunction);
  const links = { kprobe: eventLinks(machine, 'kprobe'), kretprobe: eventLinks(machine, 'kretprobe') };
  const owned = there
    .filter(({ isAtSite }) => isAtSite)
    .map((probe) => ({ probe, link: probe.isDisabled ? undefined : links[probe.kind].shift() }));
  const posted = isChanged
    ? owned.find(({ probe, link }) => probe.kind === 'kprobe' && !probe.isDisabled && link === undefined)
    : undefined;
  const holders = owned.map(({ probe, link }, i) =>
    kprobeHolder(machine, { probe, link, fn, n: i + 1, isPosted: probe === posted?.probe }),
  );
  return { holders, notes: there.filter(({ isAtSite }) => !isAtSite).map(elsewhereNote) };
}

function eventLinks(machine: RunningMachine, kind: string): BpftoolLink[] {
  return linksOf(machine).filter(
    ({ type, event_type, func }) => type === 'perf_event' && event_type === kind && func === machine.fn.name,
  );
}

interface OwnedProbe {
  readonly probe: ListedKprobe;
  readonly link: BpftoolLink | undefined;
  readonly fn: string;
  readonly n: number;
  readonly isPosted: boolean;
}

function kprobeHolder(machine: RunningMachine, { probe, link, fn, n, isPosted }: OwnedProbe): Holder {
  const { kind, symbol, offset, isDisabled } = probe;
  const place = `${kind} at ${symbol}+0x${offset.toString(16)}`;
  const more = [
    ...(isPosted ? ['with a post_handler (the flag I)'] : []),
    ...(isDisabled ? ['disabled'] : []),
  ];
  const words = [place, ...more, ...(link === undefined ? [] : [linkWords(machine, link, 'of')])].join(', ');
  const options = `${isPosted ? ', post_handler' : ''}${isDisabled ? ', KPROBE_FLAG_DISABLED' : ''}`;
  const calls =
    kind === 'kprobe'
      ? [`register_kprobe(kprobe#${n}, ${fn}${options})`]
      : [
          `register_kretprobe(kretprobe#${n}, ${fn}, maxactive=0)`,
          ...(isDisabled ? [`disable_kretprobe(kretprobe#${n})`] : []),
        ];
  return { words, detach: link === undefined ? `unregister the ${place}` : detachLink(link), calls };
}

function elsewhereNote({ kind, symbol, offset }: ListedKprobe): string {
  return `the ${kind} at ${symbol}+0x${offset.toString(16)} is in the body, and holds no call site`;
}

/** Without the list, ftrace still names the handler of kprobes. */
function unlistedKprobe({ enabled }: RunningMachine, fn: string): Held {
  if (enabled?.handlers.includes('kprobe_ftrace_handler') !== true) return { holders: [], notes: [] };
  const isPosted = enabled.flags.includes('I');
  const words = `a kprobe${isPosted ? ' with a post_handler (the flag I)' : ''}`;
  const calls = [`register_kprobe(kprobe#1, ${fn}${isPosted ? ', post_handler' : ''})`];
  return { holders: [{ words, detach: 'unregister the kprobe', calls }], notes: [] };
}

/** The direct call: of a BPF trampoline with its programs, or of a module. */
function directOf(machine: RunningMachine, fn: string): Held {
  const { enabled, kernel } = machine;
  const direct = enabled?.direct;
  if (direct === undefined) return { holders: [], notes: [] };
  const key = /^bpf_trampoline_(\d+)$/.exec(direct)?.[1];
  if (key !== undefined) return programsOf(machine, fn, BigInt(key));
  const calls = [
    `ftrace_set_filter_ip(direct#1, ${fn})`,
    `register_ftrace_direct${kernel === '6.1' ? '_multi' : ''}(direct#1, my_tramp1)`,
  ];
  const words = `direct call of ${direct}`;
  return { holders: [{ words, detach: `unregister the ${words}`, calls }], notes: [] };
}

/** Kinds of programs by the attach types of libbpf, and by the names that bpftool had for them before 6.0. */
const KINDS: Readonly<Record<string, string>> = {
  trace_fentry: 'fentry',
  trace_fexit: 'fexit',
  modify_return: 'fmod_ret',
  trace_fsession: 'fsession',
  lsm_mac: 'fmod_ret lsm',
  fentry: 'fentry',
  fexit: 'fexit',
  mod_ret: 'fmod_ret',
};

/**
 * The programs on a trampoline. Its name has their target: the id of the BTF above, and the id in it below, with bit 31 set
 * (bpf_trampoline_compute_key(), include/linux/bpf_verifier.h).
 */
function programsOf(machine: RunningMachine, fn: string, key: bigint): Held {
  const [object, type] = [Number(key >> 32n), Number(key & 0x7fffffffn)];
  const links = linksOf(machine).filter(
    ({ target_obj_id, target_btf_id }) => target_obj_id === object && target_btf_id === type,
  );
  if (links.length === 0) return unknownPrograms(machine, fn);
  const known = links.filter(({ attach_type }) => KINDS[String(attach_type)] !== undefined);
  return {
    holders: known.map((link, i) => {
      const kind = KINDS[String(link.attach_type)] ?? '';
      return {
        words: linkWords(machine, link, kind),
        detach: detachLink(link),
        calls: programCalls(fn, kind, i + 1),
      };
    }),
    notes: links
      .filter((link) => !known.includes(link))
      .map(
        ({ id, attach_type }) =>
          `BPF link ${id} is left out: the model has no programs of the kind ${attach_type}`,
      ),
  };
}

function programCalls(fn: string, kind: string, n: number): string[] {
  return [`prog#${n} = BPF_PROG_LOAD(${kind}, ${fn})`, `link#${n} = BPF_LINK_CREATE(prog#${n})`];
}

/** A trampoline whose links are not listed. An image that is entered by a jump calls the function itself, as fexit needs. */
function unknownPrograms({ enabled, bpftool }: RunningMachine, fn: string): Held {
  const kind = enabled?.isJump === true ? 'fexit' : 'fentry';
  const words = `BPF programs on ${enabled?.direct}`;
  const why =
    'missing' in bpftool
      ? []
      : [
          `bpftool lists no link for ${enabled?.direct}: a program for it may be held by another, or struct_ops`,
        ];
  return {
    holders: [{ words, detach: `detach the ${words}`, calls: programCalls(fn, kind, 1) }],
    notes: [...why, `which programs are on ${enabled?.direct} is not known: one ${kind} is assumed`],
  };
}

/** Live patches of one function share an ops of klp's. */
function patchesOf({ patches }: RunningMachine, fn: string): Held {
  const own = patches.filter(({ isOnFunction }) => isOnFunction).map(({ name }) => name);
  if (own.length === 0) return { holders: [], notes: [] };
  const calls = [
    'ops#1 = ftrace_ops(IPMODIFY | PERMANENT)',
    `ftrace_set_filter_ip(ops#1, ${fn})`,
    'register_ftrace_function(ops#1)',
  ];
  const detach = own.map((name) => `echo 0 > /sys/kernel/livepatch/${name}/enabled`).join(', ');
  const words = `live patch${own.length === 1 ? '' : 'es'} ${own.join(', ')}`;
  return { holders: [{ words, detach, calls }], notes: [] };
}

/** Links of kprobe.multi that have the function. */
function multiLinksOf(machine: RunningMachine, fn: string): Held {
  const links = linksOf(machine).filter(({ type }) => type === 'kprobe_multi');
  const own = links.filter(({ funcs = [] }) => funcs.some(({ func }) => func === machine.fn.name));
  return {
    holders: own.map((link, i) => {
      const n = 100 + i;
      const kind = link.retprobe === true ? 'return' : 'entry';
      return {
        words: linkWords(machine, link, 'kprobe.multi'),
        detach: detachLink(link),
        calls: [
          `prog#${n} = BPF_PROG_LOAD(kprobe.multi ${kind})`,
          `link#${n} = BPF_LINK_CREATE(prog#${n}, { ${fn} })`,
        ],
      };
    }),
    notes: links
      .filter(({ funcs }) => funcs === undefined)
      .map(({ id }) => `BPF link ${id} is of kprobe.multi, and this bpftool does not list its functions`),
  };
}
