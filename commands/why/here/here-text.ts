import { answeredLines, labelled, WIDTH, wrap } from '../../../counterexamples/text.ts';
import { stepText } from '../../../model/core/step-words.ts';
import { placeOf } from '../why-text.ts';
import type { NewClient } from './asks.ts';
import type { RunningMachine } from './machine.ts';
import type { Rebuilt } from './rebuilt.ts';

/** What holds a function of a machine, and what each new client of it would be answered. */
export interface HereAnswer {
  readonly machine: RunningMachine;
  readonly state: Rebuilt;
  readonly clients: readonly NewClient[];
}

/** The report: holders, what is not known, and then each new client with its answer. */
export function hereLines({ machine, state, clients }: HereAnswer): string[] {
  const { fn, release, kernel, enabled } = machine;
  const name = fn.module === '' ? fn.name : `${fn.name} [${fn.module}]`;
  return [
    ...wrap(`${name}, kernel ${release}, judged as ${kernel}`, WIDTH),
    '',
    ...heldLines(state),
    ...labelled('its line', enabled?.line ?? 'none: ftrace has not enabled it'),
    ...state.notes.flatMap((note, i) => labelled(i === 0 ? 'note' : '', note)),
    '',
    ...clients.flatMap((client) => clientLines(kernel, client)),
  ];
}

function heldLines({ holders }: Rebuilt): string[] {
  if (holders.length === 0) return labelled('held by', 'no client that is known');
  return holders.flatMap(({ words }, i) => labelled(i === 0 ? 'held by' : '', words));
}

function clientLines(kernel: string, { client, errno, refusal, outside, detach }: NewClient): string[] {
  const site = refusal?.site;
  return [
    ...answeredLines(client, errno === 0 ? '0' : `-${errno}`),
    ...(site === undefined
      ? []
      : [...labelled('site', stepText(site)), ...labelled('kernel', placeOf(kernel, site))]),
    ...(outside === undefined
      ? []
      : [...labelled('why', `${outside.why} (not of the model)`), ...labelled('kernel', outside.place)]),
    ...(errno === 0 ? [] : detachLines(detach)),
  ];
}

function detachLines(detach: readonly string[] | undefined): string[] {
  if (detach === undefined) return labelled('detach', 'nothing that is known of makes it succeed');
  return detach.flatMap((words, i) => labelled(i === 0 ? 'detach' : '', words));
}
