import type { Answer } from '../../../counterexamples/answer.ts';
import { EXIT } from '../../../counterexamples/answer.ts';
import { siteName } from '../../../counterexamples/sequences/sites.ts';
import { printAction } from '../../../model/action-text.ts';
import { lookedText, placeOf } from '../why-text.ts';
import type { NewClient } from './asks.ts';
import { newClients } from './asks.ts';
import type { HereAnswer } from './here-text.ts';
import { hereLines } from './here-text.ts';
import { readMachine } from './machine.ts';
import { MachineFiles } from './machine-files.ts';
import { rebuilt } from './rebuilt.ts';

/** The question of `why --here`. */
export interface HereQuestion {
  /** A function, or `module:function`. */
  readonly asked: string;
  /** The folder of the machine's files. */
  readonly root: string;
  /** The modelled kernel; undefined: the one that is nearest to the machine's. */
  readonly kernel: string | undefined;
  /** Calls of an undo at most. */
  readonly undoCalls: number;
}

/** The holders of a function's call site on a machine, and the answer to each new client of it. */
export function whyHere({ asked, root, kernel, undoCalls }: HereQuestion): Answer {
  const machine = readMachine(new MachineFiles(root), asked, kernel);
  const state = rebuilt(machine);
  const here = { machine, state, clients: newClients(machine, state, undoCalls) };
  return { text: hereLines(here).join('\n'), json: hereJson(here), exit: EXIT.HELD, save: [] };
}

function hereJson({ machine, state, clients }: HereAnswer) {
  const { fn, release, kernel, enabled } = machine;
  return {
    command: 'why here',
    exit: EXIT.HELD,
    function: fn.name,
    module: fn.module === '' ? null : fn.module,
    release,
    kernel,
    line: enabled?.line ?? null,
    holders: state.holders.map(({ words, detach }) => ({ holder: words, detach })),
    notes: state.notes,
    calls: state.case.actions.map((action) => printAction(action, state.case)),
    clients: clients.map((client) => clientJson(kernel, client)),
  };
}

function clientJson(kernel: string, { client, call, errno, refusal, outside, detach }: NewClient) {
  const site = refusal?.site;
  return {
    client,
    call,
    errno: errno === 0 ? null : errno,
    site: site === undefined ? null : siteName(site, site.errno),
    place: site === undefined ? (outside?.place ?? null) : placeOf(kernel, site),
    passedOn: refusal?.passedOn.map((taken) => siteName(taken, taken.errno)) ?? [],
    read: site?.looked.map(lookedText) ?? [],
    outside: outside?.why ?? null,
    detach: detach ?? null,
  };
}
