import { wrap } from '../../counterexamples/text.ts';
import type { ModuleRun } from '../../kernels/own/run-module.ts';
import type { Reproducer } from './reproducer.ts';

/*
 * The files beside the module: how it is built and run, an ftracetest, and the text for a mail, which a person sends.
 */

export function makefileOf({ id }: Reproducer): string {
  return `# SPDX-License-Identifier: GPL-2.0
# make -C ~/linux M=$PWD modules
obj-m += ${id}.o
`;
}

/** For tools/testing/selftests/ftrace/test.d/direct or /kprobe of a kernel tree. */
export function ftracetestOf({ id, name }: Reproducer): string {
  return `#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: ${name}
# The module has to be beside this file. It cannot be unloaded: boot again afterwards.

dmesg -c > /dev/null
insmod "$(dirname "$0")/${id}.ko" || exit_unsupported
if dmesg | grep -q 'not ok\\|WARNING:\\|BUG:'; then
	exit_fail
fi
exit 0
`;
}

/** A run on a kernel, and of which release that is. */
export interface KeptRun {
  readonly release: string;
  readonly run: ModuleRun;
}

export function readmeOf(reproducer: Reproducer, trace: string, kept: KeptRun | undefined): string {
  const { name, id, title, sentence, evidence, source, kernels, kernel } = reproducer;
  const others = kernels.filter((version) => version !== kernel);
  return [
    `# ${name}`,
    ...paragraphs(sentence, `It should be: ${title}`),
    '',
    '## Where it is in the source',
    ...paragraphs(
      evidence ?? 'Not looked up: this breach is not among the listed ones.',
      `The rule is about ${source}.`,
    ),
    '',
    '## Run it',
    '',
    '```text',
    'make -C ~/linux M=$PWD modules',
    `insmod ${id}.ko; dmesg | sed -n '/KTAP/,$p'`,
    '```',
    ...paragraphs(
      `Each call is a test, and what shows the defect is the last: \`not ok\` there is the defect${crashing(reproducer)}. Run it in a machine that may crash, booted with \`slub_debug=FZP\` so that freed memory is seen: the module stays loaded, and what it leaves may point into it. \`${id}.tc\` is the same for ftracetest.`,
    ),
    '',
    '## Tried',
    ...paragraphs(triedText(kept)),
    ...paragraphs(
      `The model of attachcheck shows the same calls to break the rule in ${[kernel, ...others].join(', ')}. Not tried: other architectures, other configurations, kernels in between.`,
    ),
    '',
    ...FOR_A_REPORT,
    'The calls as a trace:',
    '',
    '```text',
    trace.trimEnd(),
    '```',
    '',
  ].join('\n');
}

const FOR_A_REPORT = [
  '## For a report',
  '',
  '- What is wrong, and how it is reached: above; the calls are those of any module.',
  '- Found by attachcheck, a model checker of attach semantics, without hardware of its own; the machine code was run in an emulator.',
  '- What it does to a user: to be judged by who sends this. Whether the newest kernel has it: try it there first.',
  '',
];

function crashing({ checks }: Reproducer): string {
  return checks.some(({ is }) => is === 'survives') ? ', or no line at all where the kernel crashes' : '';
}

function triedText(kept: KeptRun | undefined): string {
  if (kept === undefined) return 'On no kernel yet.';
  const { release, run } = kept;
  const failed = run.console.filter((line) => line.includes('not ok')).length;
  const seen = failed > 0 ? `${failed} not ok` : 'all ok';
  return `On ${release}: the kernel ${run.end}, ${seen} (\`console.txt\`).`;
}

const COLUMNS = 100;

function paragraphs(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => ['', ...wrap(text, COLUMNS)]);
}
