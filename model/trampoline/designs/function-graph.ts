import type { LinkId } from '../../core/ids.ts';
import type { Part } from '../../core/part.ts';
import { entry } from '../../core/present.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { ENTRYFUNC, gopsOf, RETFUNC, subopsOf } from '../../ftrace/fgraph.ts';
import { freeOps } from '../../ftrace/filter-hash.ts';
import { registerFtraceGraph, unregisterFtraceGraph } from '../../ftrace/graph.ts';
import { ftraceFreeFilter, ftraceSetHash } from '../../ftrace/set-filter.ts';
import { freePage } from '../../text/text.ts';
import { toHex } from '../../x86/word.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { CountRow } from './count.ts';
import { counted } from './count.ts';
import type { Design, LinkArgs } from './design.ts';
import { designData } from './design.ts';
import type { GraphLinks } from './function-graph-data.ts';
import { graphLinkOf, graphOpsOf } from './function-graph-data.ts';
import { bpfGraphEntry, bpfGraphReturn, graphTracedBy } from './function-graph-hit.ts';
import { layoutOf, slotsOf, writeGraphImage } from './function-graph-image.ts';
import type { MultiTarget } from './targets.ts';
import { refuseMultiTarget, TARGET_ERRNOS, takeTarget, targetsOf } from './targets.ts';

/*
 * One user of function graph for each link, whose filter has the link's functions. The discussion asks for two
 * sets of registers, of the entry and of the return: where x86-64 returns in another register than it passes
 * arguments in, that is the set of the entry and one word. It ends with translating the arguments for each
 * architecture when the program is attached instead of at run time, in code that is called from the callbacks of
 * function graph: an image for each layout of arguments (M of them for N functions), and the translated words on
 * the shadow stack.
 *
 * ```text
 *   entry    ftrace -> function_graph_enter_regs() -> bpf_graph_entry() -> image: registers to ctx -> program
 *                                                     keeps ctx on the shadow stack (exit programs)
 *   return   return_to_handler -> bpf_graph_return() -> image: ctx with the return value -> program
 * ```
 *
 * A call that the shadow stack has no space for is missed by exit programs; entry programs see it.
 */

/** An attach between its steps. */
interface GraphLocals extends LinkArgs, MultiTarget {
  /** The layout that an image is written for, and a function that has it. */
  layout: string;
  sample: string;
}

/** Functions by how they are given their arguments: the first of each layout. */
function layoutsOf(k: BpfView, { link }: LinkArgs): [string, string][] {
  const layouts: Record<string, string> = {};
  for (const target of entry(k.bpf.links, link).targets) layouts[layoutOf(k, target)] ??= target;
  return Object.entries(layouts);
}

/**
 * A link registers one `fgraph_ops`. The images are written first, one for each layout of arguments, then the
 * filter is set, and registering makes the callbacks run.
 */
const attach = routine<BpfWorld, LinkArgs, GraphLocals>('bpf_graph_multi_attach', (words) => {
  const { refuse, refuseWith, each, step, attempt, call, allocate } = words;
  return [
    refuse('EINVAL', 'a sleepable program', (k, { link }) => programOf(k, link).sleepable),
    each('target', targetsOf, takeTarget, [
      refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
        refuseMultiTarget(k, locals, locals.target),
      ),
    ]),
    allocate('the fgraph_ops and the table of functions'),
    step('make the fgraph_ops', makeUser),
    attempt(
      [
        ...writeImages(words),
        step('enter the functions', enterFunctions),
        call(ftraceSetHash, (k, { link }) => ({
          ops: subopsOf(graphOpsOf(link)),
          which: 'filter' as const,
          ips: entry(k.bpf.links, link).targets,
          remove: false,
          reset: true,
        })),
        // From here on the callbacks run, for all functions of the link at once.
        call(registerFtraceGraph, (_, { link }) => ({ gops: graphOpsOf(link) })),
      ],
      [...freeFilter(words), step('free the fgraph_ops and the images', freeUser)],
    ),
  ];
});

function programOf({ bpf }: BpfView, link: LinkId) {
  return entry(bpf.progs, entry(bpf.links, link).prog).program;
}

/** A user `above` ftrace: its callbacks are upcalls of the model. */
function makeUser(k: BpfWorld, { link }: GraphLocals): void {
  const gops = graphOpsOf(link);
  k.fgraph.gops[gops] = { ...gopsOf(k, gops), kind: 'above' };
  designData<GraphLinks>(k).links[gops] = { prog: entry(k.bpf.links, link).prog, functions: {}, images: {} };
}

/** One image for each layout; functions of one layout share it. */
function writeImages({ each, allocate, step }: RoutineWords<BpfWorld, GraphLocals>): Part[] {
  return [
    each<[string, string]>(
      'layout',
      layoutsOf,
      (locals, [layout, sample]) => {
        locals.layout = layout;
        locals.sample = sample;
      },
      [
        allocate('an image'),
        step('write the image', (k, { link, layout, sample }) => {
          const image = imageFor(link, layout);
          const { images } = graphLinkOf(k, graphOpsOf(link));
          images[image] = writeGraphImage(k, image, programOf(k, link), slotsOf(k, sample));
        }),
      ],
    ),
  ];
}

/** `link#1.graph-r0r1s0.image` */
function imageFor(link: LinkId, layout: string): string {
  return `${link}.graph-${layout.replaceAll(' ', '')}.image`;
}

/** The table by function: the callbacks look up the address that ftrace gives them. */
function enterFunctions(k: BpfView, { link }: GraphLocals): void {
  const { functions } = graphLinkOf(k, graphOpsOf(link));
  for (const { target, node } of targetsOf(k, { link })) {
    const words = slotsOf(k, target).length;
    const image = imageFor(link, layoutOf(k, target));
    functions[target] = { image, words, cookie: toHex(node.cookie) };
  }
}

/** The filter is freed with the link: no call tests it once the user is unregistered. */
function freeFilter({ call }: RoutineWords<BpfWorld, GraphLocals>): Part[] {
  return [
    call(
      ftraceFreeFilter,
      (_, { link }) => ({ ops: subopsOf(graphOpsOf(link)) }),
      () => {},
    ),
  ];
}

/** Calls that were followed before find the slot empty; their kept words are dropped with the frame. */
function freeUser(k: BpfWorld, { link }: GraphLocals): void {
  const gops = graphOpsOf(link);
  for (const image of Object.keys(graphLinkOf(k, gops).images)) freePage(k, image);
  delete designData<GraphLinks>(k).links[gops];
  delete k.fgraph.gops[gops];
  freeOps(k, subopsOf(gops));
}

/**
 * unregister_ftrace_graph() does not wait: a task may still be in the callbacks or in an image, hence rcu_tasks.
 */
const detach = routine<BpfWorld, LinkArgs, GraphLocals>('bpf_graph_multi_detach', (words) => {
  const { call, wait, step } = words;
  return [
    call(
      unregisterFtraceGraph,
      (_, { link }) => ({ gops: graphOpsOf(link) }),
      () => {},
    ),
    ...freeFilter(words),
    wait('rcu_tasks'),
    step('free the fgraph_ops and the images', freeUser),
  ];
});

const COUNTS: readonly CountRow[] = [
  counted<GraphLocals>('bpf_graph_multi_attach', 'enter the functions', (k, { link }) => ({
    entriesCopied: entry(k.bpf.links, link).targets.length,
    images: Object.keys(graphLinkOf(k, graphOpsOf(link)).images).length,
    imageBytes: imageBytes(k, link),
  })),
];

function imageBytes(k: BpfView, link: LinkId): number {
  const images = Object.keys(graphLinkOf(k, graphOpsOf(link)).images);
  return images.reduce((sum, image) => sum + entry(k.text.pages, image).bytes.length / 2, 0);
}

/** A program is a callback of function graph here: it cannot skip the function (no fmod_ret) and cannot sleep. */
export const functionGraph: Design = {
  name: 'function graph',
  sentence:
    'A link is one user of function graph: its callbacks call the program with the arguments of the entry, kept on the shadow stack until the return.',
  source:
    'Jiri Olsa and Alexei Starovoitov, April 2021: mass attach over fgraph_ops with two sets of registers',
  kinds: ['fentry', 'fexit', 'fsession'],
  needs: ({ fgraph }) =>
    fgraph === 'multi'
      ? undefined
      : 'function graph has one user at a time, who keeps nothing until the return',
  start: () => ({ links: {} }) satisfies GraphLinks,
  attach,
  detach,
  held: () => [],
  onGraph: true,
  sleepable: false,
  upcalls: { [ENTRYFUNC]: bpfGraphEntry, [RETFUNC]: bpfGraphReturn } as unknown as Design['upcalls'] & object,
  tracedBy: graphTracedBy,
  counts: COUNTS,
};
