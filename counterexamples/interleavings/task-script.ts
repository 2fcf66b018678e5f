import { parseAction, printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { parseCall, printCall } from '../../model/client/call.ts';
import type { Spelling } from '../../model/client/spelling.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { CallerScript, Scenario } from '../../properties/observed/scenario.ts';

/** Who does what: scripts of clients, and of tasks that make calls. */
export interface Scripts {
  readonly clients: Action[][];
  readonly callers: CallerScript[];
}

/** What a state has room for. */
const ACTORS_MOST = 8;
const SCRIPT_MOST = 7;

/** `client#1: close(link#2)`, `task#1: f1(0x1001)`, `task#2 (idle; interrupted by f2(0x1)): f1(0x1001)`. */
export function scriptLines(scenario: Scenario): string[] {
  return [
    ...scenario.clients.flatMap((script, i) =>
      script.map((action) => `client#${i + 1}: ${printAction(action, scenario)}`),
    ),
    ...scenario.callers.map((caller, i) => {
      const notes = notesOf(caller, scenario);
      const noted = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
      return `task#${i + 1}${noted}: ${printCall(caller.call, scenario)}`;
    }),
  ];
}

/** What is said of a task beside its call: `idle`, `asleep at prog#1`, `interrupted by f2(0x1)`. */
function notesOf({ idle, startsAt, interrupt }: CallerScript, spelling: Spelling): string[] {
  return [
    ...(idle ? ['idle'] : []),
    ...(startsAt === undefined ? [] : [`${startsAt.condition} at ${startsAt.place}`]),
    ...(interrupt === undefined ? [] : [`interrupted by ${printCall(interrupt, spelling)}`]),
  ];
}

/** Reads a line of a script into what was read before; false when it is none. */
export function readScriptLine(line: string, scripts: Scripts, spelling: Spelling): boolean {
  const [, client, action = ''] = /^client#(\d+): (.*)$/.exec(line) ?? [];
  if (client !== undefined) readClient(Number(client), action, scripts.clients, spelling);
  const [, task, notes, call = ''] = /^task#(\d+)(?: \((.+?)\))?: (.*)$/.exec(line) ?? [];
  if (task !== undefined) readCaller(Number(task), notes, call, scripts.callers, spelling);
  return client !== undefined || task !== undefined;
}

/** Calls are made by tasks; what happens in a setup or a script is everything else. */
export function readAction(text: string, spelling: Spelling): Action {
  const action = parseAction(text, spelling);
  if (action.do === 'call') throw new InputError(`"${text}": a call is made by a task, as in task#1: f1()`);
  return action;
}

function readClient(number: number, text: string, clients: Action[][], spelling: Spelling): void {
  if (number === clients.length + 1) clients.push([]);
  const script = clients[number - 1];
  if (script === undefined || number < clients.length || number > ACTORS_MOST)
    throw new InputError(`client#${number} is not the next one of at most ${ACTORS_MOST}`);
  if (script.length === SCRIPT_MOST)
    throw new InputError(`client#${number} does more than ${SCRIPT_MOST} things`);
  script.push(readAction(text, spelling));
}

function readCaller(
  number: number,
  notes: string | undefined,
  text: string,
  callers: CallerScript[],
  spelling: Spelling,
): void {
  if (number !== callers.length + 1 || number > ACTORS_MOST)
    throw new InputError(`task#${number} is not the next one of at most ${ACTORS_MOST}`);
  let script: CallerScript = { call: parseCall(text, spelling) };
  for (const note of notes?.split('; ') ?? []) {
    const more = readNote(note, spelling);
    const [name] = Object.keys(more);
    if (name! in script) throw new InputError(`"${note}": that is said twice of task#${number}`);
    script = { ...script, ...more };
  }
  callers.push(script);
}

function readNote(note: string, spelling: Spelling): Omit<CallerScript, 'call'> {
  if (note === 'idle') return { idle: true };
  const [, condition, place = ''] = /^(asleep|preempted) at (\S+)$/.exec(note) ?? [];
  if (condition === 'asleep' || condition === 'preempted') return { startsAt: { place, condition } };
  const [, call] = /^interrupted by (.+)$/.exec(note) ?? [];
  if (call !== undefined) return { interrupt: parseCall(call, spelling) };
  throw new InputError(
    `"${note}" says nothing of a task; there are idle, asleep at PLACE, preempted at PLACE, interrupted by CALL`,
  );
}
