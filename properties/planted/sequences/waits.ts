import type { Action } from '../../../model/client/all.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { freedMemoryWasWaitedFor } from '../../ftrace/freed-memory-was-waited-for.ts';
import { link, load } from './actions.ts';
import { dropped, edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const CLOSE: Action = { do: 'close(link)', link: 'link#1' };
const LOAD_MULTI: Action = {
  do: 'BPF_PROG_LOAD',
  program: { ...plainProgram(1), multi: true },
  target: '',
  probe: '',
  returns: ZERO,
};

/** Planted bugs in what is waited for before memory is freed. No reader has to be there when it is. */
export const PLANTED_WAITS: readonly AttachPlanted[] = [
  {
    name: 'image-goes-without-rcu-tasks',
    sentence: 'An image is freed without a wait for tasks that are preempted in it.',
    history: undefined,
    law: freedMemoryWasWaitedFor,
    profile: '6.12',
    edits: [edit('__bpf_tramp_image_put', 'wait for rcu_tasks', dropped)],
    smallest: [load(1), link(1), CLOSE, { do: 'settle' }],
    finding:
      'image tramp#1 is freed after a wait for rcu_tasks: a task that has found it may be in it / since no call can find it: rcu_tasks_trace, workqueue',
  },
  {
    name: 'metadata-goes-before-its-sleepers',
    sentence: 'Metadata of a global trampoline is freed without a wait for sleepable programs.',
    history: undefined,
    law: freedMemoryWasWaitedFor,
    profile: '6.12, multiLinks = global',
    edits: [edit('kfunc_md_release', 'wait for rcu_tasks_trace', dropped)],
    smallest: [LOAD_MULTI, link(1, 1, ['f1']), CLOSE],
    finding:
      'metadata 1 is freed after a wait for rcu_tasks_trace: a task that has found it may be in it / since no call can find it: rcu, percpu_ref, rcu_tasks',
  },
];
