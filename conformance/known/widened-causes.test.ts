import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Edit } from '../../model/core/link.ts';
import { FTRACE_OPS_FL_ENABLED } from '../../model/ftrace/ops.ts';
import type { Kernel } from '../../model/kernel.ts';
import { linkKernel } from '../../model/step.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { bare, dropped, edit, followedBy, PLANTED_PART } from '../../properties/planted/sequences/edits.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { exampleOf } from './attach-example.ts';

/*
 * Listed breaches with several causes: each call that can have the cause is played once, and beside it a kernel with a
 * fault of the same look and another cause, which is no known breach.
 */

interface Cause {
  readonly name: string;
  /** The client calls in 7.2, each list a cause. */
  readonly calls: readonly string[];
  /** A fault, and calls in which it breaks the same law. */
  readonly near: { readonly edits: readonly Edit[]; readonly calls: string };
}

/** Calls that arm the function of a disabled kprobe with a post_handler: each asks for IPMODIFY. */
const ARMED = [
  'perf#1 = perf_event_open(kprobe, f1)',
  'enable_kprobe(kprobe#2)',
  'register_kretprobe(kretprobe#1, f1, maxactive=0)',
];
const DISABLED = 'register_kprobe(kprobe#2, f1, post_handler, KPROBE_FLAG_DISABLED)';
const LINKED = 'prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1)';
const DIRECT = 'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1)';
const DIRECT_F2 = DIRECT.replace('f1', 'f2');
const PATCHED =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';
/** A kprobe leaves, and its function stays in the filter. */
const LEFT = 'the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1)';
const SECOND_LACKS = 'the 2nd allocation in ftrace_set_hash fails';

/** A kprobe that is refused stays in the filter, whether or not there is memory for the way back. */
const FILTER_STAYS = edit('__arm_kprobe_ftrace', 'attempt', bare);

/** A second kprobe of an ops is refused, though no client has a direct call. */
const SECOND_IS_REFUSED = edit('__arm_kprobe_ftrace', 'choose the ops', (part) => [
  part,
  {
    kind: 'refuse',
    id: PLANTED_PART,
    errnos: ['EBUSY'],
    find: (k, { ops }) => ((k as Kernel).probes.armed[String(ops)] === 0 ? undefined : 'EBUSY'),
  },
]);

/** The user that fprobes share keeps its flag, though it has left. */
const FLAG_STAYS = edit(
  'ftrace_shutdown_subops',
  'combine the hashes',
  followedBy((k, { subops }) => {
    k.ftrace.ops[String(subops)]!.flags |= FTRACE_OPS_FL_ENABLED;
  }),
);

/** The owner of a direct call agrees to a live patch, and its image is entered as before. */
const IMAGE_STAYS = edit('bpf_tramp_ftrace_ops_func', 'the image has to change', dropped);

const GRAPHS = 'register_ftrace_graph(gops#1); register_ftrace_graph(gops#2)';
const LACKS_HASHES = 'the next allocation in rebuild_hashes fails';
const SHARED = `register_fprobe_ips(fprobe#1, { f1 }, exit_handler); ${GRAPHS}`;
const SHARED_BY_LINK = `prog#1 = BPF_PROG_LOAD(kprobe.multi return); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); ${GRAPHS}`;
const NEXT_SHARED = 'register_fprobe_ips(fprobe#2, { f2 }, exit_handler)';

/** After the first calls, each of those that arm. */
function eachArming(before: string, after = ''): string[] {
  return ARMED.map((arming) => `${before}; ${arming}${after}`);
}

const CAUSES: readonly Cause[] = [
  {
    name: 'peers-that-agreed-are-not-rolled-back',
    calls: eachArming(
      `register_kprobe(kprobe#1, f2, post_handler); ${LEFT}; ${LINKED}; ${DIRECT_F2}; ${DISABLED}`,
    ),
    // The image was made for a live patch before: no owner agrees to this one.
    near: { edits: [FILTER_STAYS], calls: `${LINKED}; ${PATCHED}; ${DISABLED}; ${ARMED[0]}` },
  },
  {
    name: 'user-that-fprobes-share-stays-refused',
    calls: [
      `${SHARED}; ${LACKS_HASHES}; unregister_fprobe(fprobe#1); ${NEXT_SHARED}`,
      `${SHARED_BY_LINK}; ${LACKS_HASHES}; close(link#1); ${NEXT_SHARED}`,
    ],
    near: { edits: [FLAG_STAYS], calls: `${SHARED}; unregister_fprobe(fprobe#1); ${NEXT_SHARED}` },
  },
  {
    name: 'user-that-fprobes-share-stays-refused',
    calls: [
      `${SHARED}; the next allocation in rebuild_hashes fails; unregister_fprobe(fprobe#1); ${NEXT_SHARED}`,
    ],
    // Memory lacks where the functions leave the table, and not where the user leaves the manager.
    near: {
      edits: [FLAG_STAYS],
      calls: `${SHARED}; the next allocation in unregister_fprobe (fgraph) fails; unregister_fprobe(fprobe#1); ${NEXT_SHARED}`,
    },
  },
  {
    name: 'refused-kprobe-keeps-its-filter',
    calls: eachArming(`${DISABLED}; ${DIRECT}; ${SECOND_LACKS}`),
    near: { edits: [FILTER_STAYS], calls: `${DISABLED}; ${DIRECT}; ${ARMED[0]}` },
  },
  {
    name: 'refused-kprobe-clears-a-stale-filter',
    calls: eachArming(
      `ftrace_set_filter_ip(direct#1, f1); register_kprobe(kprobe#1, f1, post_handler); ${LEFT}; register_ftrace_direct(direct#1, my_tramp1); ${DISABLED}`,
    ),
    // Memory lacks for another filter.
    near: {
      edits: [FILTER_STAYS],
      calls: `${DISABLED}; the next allocation in ftrace_set_hash fails; ftrace_set_filter_ip(ops#1, f1); ${DIRECT}; ${ARMED[0]}`,
    },
  },
  {
    name: 'function-of-a-refused-kprobe-stays',
    calls: eachArming(`${DISABLED}; ${DIRECT}; ${SECOND_LACKS}`, '; all grace periods end'),
    near: { edits: [FILTER_STAYS], calls: `${DISABLED}; ${DIRECT}; ${ARMED[0]}; all grace periods end` },
  },
  {
    name: 'only-the-first-ipmodify-function-is-negotiated',
    calls: eachArming(`${DISABLED}; ${DIRECT}; register_kprobe(kprobe#1, f2, post_handler)`),
    near: {
      edits: [SECOND_IS_REFUSED],
      calls: `${DISABLED}; register_kprobe(kprobe#1, f2, post_handler); ${ARMED[0]}`,
    },
  },
  {
    name: 'second-ipmodify-function-is-not-negotiated',
    calls: eachArming(`${LINKED}; ${DISABLED}; register_kprobe(kprobe#1, f2, post_handler)`),
    near: { edits: [IMAGE_STAYS], calls: `${LINKED}; ${DISABLED}; ${ARMED[0]}` },
  },
];

function run(name: string, calls: string, edits: readonly Edit[]) {
  const entry = KNOWN_ATTACH.find((known) => known.name === name)!;
  const laws = ATTACH_LAWS.filter((law) => law.name === entry.law);
  const c = exampleOf({ ...entry, kernels: ['7.2'], example: calls });
  const program = linkKernel(edits);
  return runSequence(c, { laws, known: KNOWN_ATTACH, program, asKernel: true });
}

describe.each(CAUSES)('$name', ({ name, calls, near }) => {
  test.each(calls)('is known where %s', (text) => {
    const { known, newBreach } = run(name, text, []);
    expect([known?.name, newBreach]).toEqual([name, undefined]);
  });

  test('is not known by a fault that looks like it', () => {
    const { known, newBreach } = run(name, near.calls, near.edits);
    expect([known?.name, newBreach?.at]).toEqual([undefined, near.calls.split('; ').length - 1]);
    expect(run(name, near.calls, []).breach).toBeUndefined();
  });
});
