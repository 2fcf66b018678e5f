import { requireFault } from '../../checker/sequences/faults.ts';
import { parseAction, printAction } from '../../model/action-text.ts';
import type { CallRequest } from '../../model/call/call-frame.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import { parseCall, printCall } from '../../model/client/call.ts';
import type { Spelling } from '../../model/client/spelling.ts';
import { lineOf } from '../../model/client/spelling.ts';
import { InputError } from '../../model/core/input-error.ts';
import { nearest } from '../../model/core/nearest.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { CallerScript, Interruption, Scenario } from '../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../properties/observed/scenario.ts';

/** The scripts of clients, and of tasks that make calls. */
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

/** The properties of a task besides its call: `idle`, `asleep at prog#1`, `interrupted by f2(0x1)`. */
export function notesOf(script: CallerScript, spelling: Spelling): string[] {
  const { idle, startsAt } = script;
  return [
    ...(idle ? ['idle'] : []),
    ...(startsAt === undefined ? [] : [`${startsAt.condition} at ${startsAt.place}`]),
    ...INTERRUPTIONS.flatMap((kind) => {
      const call = script[kind];
      return call === undefined ? [] : [`${COMES[kind]} ${printCall(call, spelling)}`];
    }),
  ];
}

/** How a note begins of what comes on top of a task's call. */
const COMES: Readonly<Record<Interruption, string>> = {
  interrupt: 'interrupted by',
  earlyInterrupt: 'interrupted early by',
  nmi: 'interrupted by an NMI:',
  softInterrupt: 'interrupted by a soft interrupt:',
};

/**
 * Adds a line of a script to the lines before it; false when it has no actor. Lines of clients may be in any order;
 * those of one client run one after the other.
 */
export function readScriptLine(line: string, scripts: Scripts, spelling: Spelling): boolean {
  const [, client, action = ''] = /^client#(\d+): (.*)$/.exec(line) ?? [];
  if (client !== undefined) readClient(Number(client), action, scripts.clients, spelling);
  const [, task, notes, call = ''] = /^task#(\d+)(?: \((.+?)\))?: (.*)$/.exec(line) ?? [];
  if (task !== undefined) readCaller(Number(task), notes, call, scripts.callers, spelling);
  if (client !== undefined || task !== undefined) return true;
  refuseActor(line);
  return false;
}

/** The error of a line with an unknown actor. A call has colons in braces only. */
function refuseActor(line: string): void {
  const [, front] = /^([^:{]+):/.exec(line) ?? [];
  if (front === undefined) return;
  const [kind = ''] = /^\w*/.exec(front) ?? [];
  const meant = nearest(kind, ['client', 'task']);
  const forms = Object.entries(WRITTEN).filter(([name]) => meant === undefined || name === meant);
  throw new InputError(
    `"${front}" is not an actor; write ${forms.map(([, form]) => form).join(', or ')}`,
    front,
  );
}

const WRITTEN = { client: 'client#1: CALL', task: 'task#1: f1(0x1), or task#1 (idle): f1(0x1)' } as const;

/** A client's action, or one of the setup: a task's call is not a client's. */
function readAction(client: string, text: string, spelling: Spelling): Action {
  const [, answer] = /^.*? += (0|-[A-Z0-9]+|dies)$/.exec(text) ?? [];
  if (answer !== undefined)
    throw new InputError(
      `what ${client} is answered depends on who comes first: leave "= ${answer}" out`,
      answer,
    );
  const action = parseAction(text, spelling);
  const { service } = callOf(action);
  switch (service.by) {
    case 'task':
      throw new InputError(`"${text}": a call is made by a task, as in task#1: f1()`, text);
    case 'time':
      throw new InputError(`"${text}": grace periods end by themselves, and no client does that`, text);
    case 'routine':
    case 'client':
      if (action.do === 'fail') requireFault(action.fault);
      return action;
    default:
      return unreachable(service);
  }
}

function readClient(number: number, text: string, clients: Action[][], spelling: Spelling): void {
  const name = `client#${number}`;
  if (number === clients.length + 1 && number <= ACTORS_MOST) clients.push([]);
  const script = clients[number - 1];
  if (script === undefined) throw notTheNext(name, 'client', clients.length);
  if (script.length === SCRIPT_MOST)
    throw new InputError(`${name} does more than ${SCRIPT_MOST} things`, name);
  script.push(readAction(name, text, spelling));
}

/** They are numbered from 1 on, in their order. */
function notTheNext(name: string, kind: string, there: number): InputError {
  const why =
    there === ACTORS_MOST ? `there are ${ACTORS_MOST} at most` : `that would be ${kind}#${there + 1}`;
  return new InputError(`${name} is not the next one: ${why}`, name);
}

function readCaller(
  number: number,
  notes: string | undefined,
  text: string,
  callers: CallerScript[],
  spelling: Spelling,
): void {
  const name = `task#${number}`;
  if (number > 0 && number <= callers.length)
    throw new InputError(`${name} makes one call; another one is made by task#${callers.length + 1}`, name);
  if (number !== callers.length + 1 || number > ACTORS_MOST) throw notTheNext(name, 'task', callers.length);
  let script: CallerScript = { call: readCall(text, spelling) };
  for (const note of notes?.split('; ') ?? []) {
    const more = readNote(note, spelling);
    const [field] = Object.keys(more);
    if (field! in script) throw new InputError(`"${note}": that is said twice of ${name}`, note);
    script = { ...script, ...more };
  }
  callers.push(script);
}

/** A task calls a function, or hits a tracepoint; a call of the kernel's interfaces is a client's. */
function readCall(text: string, spelling: Spelling): CallRequest {
  if (/^(calls|hits) /.test(text))
    throw new InputError(`"${text}": the call is alone there, as in task#1: f1(0x1)`, text);
  const { name } = lineOf(text);
  const isDeclared = [...spelling.functions, ...(spelling.tracepoints ?? [])].some(
    (own) => own.name === name,
  );
  if (!isDeclared && isClientCall(text, spelling))
    throw new InputError(
      `a task calls functions and hits tracepoints; ${name} is for client#1: ${text}`,
      name,
    );
  return parseCall(text, spelling);
}

function isClientCall(text: string, spelling: Spelling): boolean {
  try {
    return parseAction(text, spelling).do !== 'call';
  } catch {
    return false;
  }
}

function readNote(note: string, spelling: Spelling): Omit<CallerScript, 'call'> {
  if (note === 'idle') return { idle: true };
  const [, condition, place = ''] = /^(asleep|preempted) at (\S+)$/.exec(note) ?? [];
  if (condition === 'asleep' || condition === 'preempted') return { startsAt: { place, condition } };
  // The longer beginnings come last.
  const kind = INTERRUPTIONS.findLast((own) => note.startsWith(`${COMES[own]} `));
  if (kind !== undefined) return { [kind]: readCall(note.slice(COMES[kind].length + 1), spelling) };
  throw new InputError(
    `"${note}" says nothing of a task; there are idle, asleep at PLACE, preempted at PLACE, interrupted by CALL, interrupted early by CALL, interrupted by an NMI: CALL, interrupted by a soft interrupt: CALL`,
    note,
  );
}
