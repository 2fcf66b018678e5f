import { clientName, taskName } from '../../checker/interleavings/actor-names.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { counted, WIDTH } from '../text.ts';
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
  const indented = (line: string) => `  ${line}`;
  const dense = [...packed(lines).map(indented), ''];
  const actions = counted(scenario.setup.length, 'action');
  return [[...lines.map(indented), ''], dense, dense.length < 3 ? dense : [`  (${actions} before that)`, '']];
}

/** The items that fit on a line. */
function packed(lines: readonly string[]): string[] {
  const all: string[] = [];
  lines.forEach((line, i) => {
    const text = i < lines.length - 1 ? `${line};` : line;
    const latest = all.at(-1);
    if (latest !== undefined && latest.length + 1 + text.length <= WIDTH - 2)
      all.splice(-1, 1, `${latest} ${text}`);
    else all.push(text);
  });
  return all;
}
