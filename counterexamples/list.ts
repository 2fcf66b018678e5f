import { PROFILES } from '../model/core/profile.ts';
import { ABI_LAWS } from '../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { ABI_PLANTED } from '../properties/planted/abi.ts';
import { ATTACH_PLANTED } from '../properties/planted/attach.ts';
import { TASK_PLANTED } from '../properties/planted/task.ts';
import { PLANTED } from '../properties/planted.ts';
import { TASK_LAWS } from '../properties/task-laws.ts';
import type { Answer } from './answer.ts';
import { EXIT } from './answer.ts';
import { WIDTH, wrap } from './text.ts';

/** The option `--list`: everything that has a name, with a sentence each. */
export function listNames(): Answer {
  const laws = [...IMAGE_LAWS, ...ATTACH_LAWS, ...TASK_LAWS, ...ABI_LAWS].map(({ name, sentence }) => ({
    name,
    sentence,
  }));
  const planted = [...PLANTED, ...ATTACH_PLANTED, ...TASK_PLANTED, ...ABI_PLANTED].map(
    ({ name, sentence, law }) => ({
      name,
      sentence,
      law: law.name,
    }),
  );
  const kernels = Object.values(PROFILES).map(({ kernel, boots }) => ({
    name: kernel,
    boots: Object.keys(boots),
  }));
  const text = [
    'laws',
    ...laws.flatMap(({ name, sentence }) => entry(name, sentence)),
    '',
    'planted bugs',
    ...planted.flatMap(({ name, sentence }) => entry(name, sentence)),
    '',
    'kernels',
    ...kernels.flatMap(({ name, boots }) => entry(name, `booted as ${boots.join(', ')}`)),
  ];
  return {
    text: text.join('\n'),
    json: { command: 'list', laws, planted, kernels },
    exit: EXIT.HELD,
    save: [],
  };
}

function entry(name: string, sentence: string): string[] {
  return [`  ${name}`, ...wrap(sentence, WIDTH - 6).map((line) => `      ${line}`)];
}
