import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import { placed } from './example.ts';
import { startedWith } from './replaced.ts';
import { scratch } from './scratch.ts';
import { sources } from './sources.ts';
import { THOROUGH } from './thorough.ts';

/*
 * Faults made in the model itself: a command says that they are new, although the kernel as it is breaks
 * the same law in a way that is listed. Each is made in a few words of one file.
 */

interface FaultInTheSource {
  readonly name: string;
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly command: readonly string[];
  /** The law that is broken, and what is seen of it. */
  readonly says: readonly [string, string];
}

const LIFECYCLE = 'model/trampoline/image-lifecycle.ts';
const FREED = 'task/no-handler-after-unregister';
const FOR_SLEEPERS = "[wait('rcu_tasks_trace'), wait('rcu_tasks')],";
const TWO_ATTACH = ['explore', '--kernel', '6.12', '--only', 'attach f1, attach f1', '--law'];

const FAULTS: readonly FaultInTheSource[] = [
  {
    name: 'no grace period waits for tasks that sleep in an image',
    path: LIFECYCLE,
    from: FOR_SLEEPERS,
    to: "[wait('rcu_tasks')],",
    command: [...TWO_ATTACH, 'task/no-fetch-from-freed-memory'],
    says: ['task/no-fetch-from-freed-memory', 'unmapped'],
  },
  {
    name: 'those who sleep in an image are waited for by RCU',
    path: LIFECYCLE,
    from: FOR_SLEEPERS,
    to: "[wait('rcu'), wait('rcu_tasks')],",
    command: [...TWO_ATTACH, 'task/no-fetch-from-freed-memory'],
    says: ['task/no-fetch-from-freed-memory', 'unmapped'],
  },
  {
    name: 'the image in use is patched',
    path: LIFECYCLE,
    from: '(k, { image }) => patchOf(k, image, item(entry(k.bpf.images, image).patchPoints, 0)),',
    to: `(k, { image }) => {
          const now = k.bpf.trampolines[entry(k.bpf.images, image).target]?.curImage || image;
          const used = entry(k.bpf.images, now).callOrig ? now : image;
          return patchOf(k, used, item(entry(k.bpf.images, used).patchPoints, 0));
        },`,
    command: [...TWO_ATTACH, 'task/probes-see-old-or-new'],
    says: ['task/probes-see-old-or-new', 'prog#2 never sees f1 (program)'],
  },
  {
    name: 'no grace period before an ops may be freed',
    path: 'model/ftrace/startup.ts',
    from: "      wait('rcu_tasks_rude'),\n      wait('rcu_tasks'),\n",
    to: '',
    command: [
      'explore',
      '--random',
      '2',
      '--schedules',
      '200',
      '--seed',
      '5',
      '--kernel',
      '6.12',
      '--law',
      FREED,
    ],
    says: [FREED, 'fprobe_handler: an fprobe whose memory was used again'],
  },
  {
    name: 'a user of function graph that is refused is counted',
    path: 'model/ftrace/graph.ts',
    from: "'give the index back', (k, { idx }) => {\n            k.fgraph.active--;",
    to: "'give the index back', (k, { idx }) => {",
    command: ['--kernel', '6.12', '--law', 'ftrace/user-counts-match-users'],
    says: ['ftrace/user-counts-match-users', 'ftrace_graph_active'],
  },
];

/** Each takes a run of the command line, some ten seconds: all of them with `npm run thorough`, else the last. */
const ASKED = THOROUGH ? FAULTS : FAULTS.slice(-1);

const { file } = scratch();

/** What a command prints of the model with a fault, and how it ends. */
function ran({ path, from, to, command }: Omit<FaultInTheSource, 'says'>) {
  const [{ text } = { text: '' }] = sources(path);
  expect(text.split(from)).toHaveLength(2);
  const faulty = file(
    'faulty.mts',
    placed(
      text.replace(from, () => to),
      dirname(path),
    ),
  );
  return startedWith({ [path]: faulty }, '--no-save', ...command);
}

describe('is found by a command of the model that has it:', () => {
  test.each(ASKED.map((fault) => [fault.name, fault] as const))('%s', async (_, fault) => {
    const { status, stdout, stderr } = await ran(fault);
    const [law, seen] = fault.says;
    expect(stderr).not.toContain('failed');
    expect(status).toBe(EXIT.BROKEN);
    expect(stdout).toMatch(new RegExp(`^✗ ${law}`));
    expect(stdout).toContain(seen);
  });

  test.runIf(THOROUGH)('and the model as it is holds in the same scenario', async () => {
    const { status, stdout } = await ran({
      ...FAULTS[0]!,
      to: FAULTS[0]!.from,
      command: [...FAULTS[0]!.command, '--verbose'],
    });
    expect(status).toBe(EXIT.HELD);
    expect(stdout).toContain('rcu-tasks-trace-before-rcu-tasks');
  });
});
