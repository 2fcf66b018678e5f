import { clientName, taskName } from '../../checker/interleavings/actor-names.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { counted, packed } from '../text.ts';
import { scriptLines } from './task-script.ts';
import { setupLines } from './task-trace.ts';

/** Declarations and setup: line by line, in full lines, or only their number. */
export function raceSetups(
  scenario: Scenario,
  actors: readonly { readonly name: string }[],
): [full: string[], dense: string[], short: string[]] {
  const isDrawn = (own: string) => actors.some(({ name }) => name === own);
  const idle = scriptLines({
    ...scenario,
    clients: scenario.clients.map((script, i) => (isDrawn(clientName(i)) ? [] : script)),
    callers: scenario.callers.filter((_, i) => !isDrawn(taskName(i))),
  });
  const lines = [...setupLines(scenario), ...idle];
  const dense = [...packed(lines, INDENT), ''];
  const actions = counted(scenario.setup.length, 'action');
  return [
    [...lines.map((line) => INDENT + line), ''],
    dense,
    dense.length < 3 ? dense : [`  (${actions} before that)`, ''],
  ];
}

const INDENT = '  ';
