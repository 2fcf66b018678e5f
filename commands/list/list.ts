import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH, wrap } from '../../counterexamples/text.ts';
import { profileNamed, profileNames, RECORDED_KERNELS } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { ALL_PLANTED } from '../../properties/planted/all.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import type { KernelBehaviour } from './kernels.ts';
import { behaviours } from './kernels.ts';

/** The option `--list`: everything that has a name, with a sentence each. */
export function listNames(): Answer {
  const all = [...IMAGE_LAWS, ...ATTACH_LAWS, ...ALL_TASK_LAWS, ...HIT_LAWS, ...STUB_LAWS, ...ABI_LAWS];
  // Laws on sequences are checked on leftovers of interleavings as well.
  const sentences = new Map(all.toReversed().map(({ name, sentence }) => [name, sentence]));
  const laws = [...sentences].toReversed().map(([name, sentence]) => ({ name, sentence }));
  const planted = Object.values(ALL_PLANTED)
    .flat()
    .map(({ name, sentence, law }) => ({
      name,
      sentence,
      law: law.name,
    }));
  const designs = DESIGNS.map(({ name, sentence, source }) => ({ name, sentence, source }));
  const kernels = profileNames().map((name) => {
    const { sentence, boots } = profileNamed(name);
    return { name, sentence, boots: Object.keys(boots) };
  });
  const text = [
    'laws',
    ...laws.flatMap(({ name, sentence }) => entry(name, sentence)),
    '',
    'planted bugs',
    ...planted.flatMap(({ name, sentence }) => entry(name, sentence)),
    '',
    'designs of mass attach: a kernel has one of them as multiLinks, as in --kernel',
    "'6.12, multiLinks = batch'",
    ...designs.flatMap(({ name, sentence, source }) =>
      entry(name, `${sentence} From: ${source.replaceAll('  ', ', ')}.`),
    ),
    '',
    ...kernelLines(kernels),
  ];
  return {
    text: text.join('\n'),
    json: { command: 'list', laws, planted, designs, kernels, behaviours: behaviours() },
    exit: EXIT.HELD,
    save: [],
  };
}

interface ListedKernel {
  readonly name: string;
  readonly sentence: string;
  readonly boots: readonly string[];
}

/** The kernels, and below them the behaviours by which they differ from each other. */
function kernelLines(kernels: readonly ListedKernel[]): string[] {
  return [
    'kernels',
    ...kernels.flatMap(({ name, sentence, boots }) => [
      ...entry(name, sentence),
      ...wrap(`booted as ${boots.join(', ')}`, WIDTH - 6).map((line) => `      ${line}`),
    ]),
    '',
    "behaviours of a kernel, which --kernel '6.12, imageLifecycle = C' overrides",
    ...behaviours().flatMap(behaviourLines),
  ];
}

/** Its meaning, and its values with the kernels that have them: a line for each that has its own meaning. */
function behaviourLines({ name, sentence, values, meanings }: KernelBehaviour): string[] {
  const said = meanings.map(({ value, sentence: meaning }) => {
    const kernels = RECORDED_KERNELS.filter((kernel) => values[kernel] === value);
    const has = kernels.length === 0 ? value : `${value} (${kernels.join(', ')})`;
    return meaning === null ? has : `${has}: ${meaning}`;
  });
  const lines = meanings.some(({ sentence: meaning }) => meaning !== null) ? said : [said.join(' · ')];
  return [
    ...entry(name, sentence),
    ...lines.flatMap((line) =>
      wrap(line, WIDTH - 12).map((part, i) => `        ${i === 0 ? '' : '    '}${part}`),
    ),
  ];
}

function entry(name: string, sentence: string): string[] {
  return [`  ${name}`, ...wrap(sentence, WIDTH - 6).map((line) => `      ${line}`)];
}
