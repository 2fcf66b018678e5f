import type { ProgId } from '../../../core/ids.ts';
import { entry, present } from '../../../core/present.ts';
import type { DeepReadonly } from '../../../core/readonly.ts';
import { routine } from '../../../core/routine.ts';
import type { Word } from '../../../x86/word.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import { counted } from '../count.ts';
import type { KfuncMd } from './kfunc-md.ts';
import { dataOf, findMd, freshNumber, listOf, nodesOf } from './kfunc-md.ts';
import { MD_MUTEX } from './kfunc-md-array.ts';

/*
 * The programs of a function: kfunc_md_bpf_link() and kfunc_md_bpf_unlink() in kernel/bpf/kfunc_md.c of the
 * series.
 *
 * ```text
 *   kfunc_md -> bpf_progs[FENTRY] -> node -> node        appended at the tail: the oldest runs first,
 *               bpf_progs[FEXIT]  -> node                unlike a trampoline, which runs the newest first
 * ```
 *
 * Calls walk the lists without a reference on the nodes; a removed node waits for tasks-trace and then for tasks.
 */

interface LinkArgs {
  func: string;
  prog: ProgId;
  cookie: Word;
}

/** The metadata of a function that has some. */
function mdOf(k: BpfWorld, locals: { func: string }): KfuncMd;
function mdOf(k: BpfView, locals: { func: string }): DeepReadonly<KfuncMd>;
function mdOf(k: BpfView, { func }: { func: string }): DeepReadonly<KfuncMd> {
  return entry(dataOf(k).mds, findMd(k, func));
}

function kindOf(k: BpfView, { prog }: { prog: ProgId }) {
  return listOf(entry(k.bpf.progs, prog).program.kind);
}

/** The node of a program on a function; undefined: it is not there. */
function nodeOf(k: BpfView, locals: { func: string; prog: ProgId }): number | undefined {
  return nodesOf(k, mdOf(k, locals), kindOf(k, locals)).find(
    (number) => entry(dataOf(k).nodes, number).prog === locals.prog,
  );
}

/** kfunc_md_bpf_link(): after the others, so that the oldest runs first. */
export const kfuncMdBpfLink = routine<BpfWorld, LinkArgs>(
  'kfunc_md_bpf_link',
  ({ holding, refuse, allocate, step }) => [
    holding(MD_MUTEX, [
      refuse('EEXIST', 'the program is on the function', (k, locals) => nodeOf(k, locals) !== undefined),
      allocate('the node'),
      step('append the program', (k, locals) => {
        const data = dataOf(k);
        const md = mdOf(k, locals);
        const list = kindOf(k, locals);
        const last = nodesOf(k, md, list).at(-1);
        const number = freshNumber(k, data.nodes, locals.func);
        data.nodes[number] = { func: locals.func, prog: locals.prog, cookie: locals.cookie, next: 0 };
        if (last === undefined) md.progs[list] = number;
        else entry(data.nodes, last).next = number;
        md.progCount++;
        if (list !== 0) md.originCall = true;
      }),
    ]),
  ],
);

/** kfunc_md_bpf_unlink(): a walk that is on the node still finds the next one, until it is freed. */
export const kfuncMdBpfUnlink = routine<
  BpfWorld,
  { func: string; prog: ProgId },
  { func: string; prog: ProgId; number: number }
>('kfunc_md_bpf_unlink', ({ holding, refuse, step, reclaim }) => [
  holding(MD_MUTEX, [
    refuse('EINVAL', 'the program is not on the function', (k, locals) => nodeOf(k, locals) === undefined),
    step('take the program out', (k, locals) => {
      const { nodes } = dataOf(k);
      const md = mdOf(k, locals);
      const list = kindOf(k, locals);
      const all = nodesOf(k, md, list);
      locals.number = present(nodeOf(k, locals), 'node of the program');
      const before = all[all.indexOf(locals.number) - 1];
      const { next } = entry(nodes, locals.number);
      if (before === undefined) md.progs[list] = next;
      else entry(nodes, before).next = next;
      md.originCall = md.progs[1] !== 0 || md.progs[2] !== 0;
      md.progCount--;
    }),
    reclaim('free the node in the background', freeNode, (_, { number }) => ({ number })),
  ]),
]);

/**
 * link_free_rcu_tasks() and link_free_rcu(): sleepable programs are waited for first, then all tasks, one grace
 * period of each. A task that is preempted through the first and sleeps in its program through the second is
 * covered by neither.
 */
const freeNode = routine<BpfWorld, { number: number }>('link_free_rcu', ({ wait, step }) => [
  wait('rcu_tasks_trace'),
  wait('rcu_tasks'),
  step('free the node', (k, { number }) => {
    delete dataOf(k).nodes[number];
  }),
]);

/** A removed node is freed in the background: calls may be at it. */
export const LINK_BACKGROUND = [freeNode];

export const LINK_COUNTS = [
  counted('kfunc_md_bpf_unlink', 'take the program out', () => ({ hashLookups: 1 })),
];
