import type { Action } from '../../model/client/all.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { searchedCall } from '../sequences/calls/all.ts';
import { linkMadeBy } from '../sequences/calls/link-made.ts';

/*
 * Restriction of scripts: an operation on a link or a program starts only after the call that returns its file
 * descriptor. It removes no behaviour: another client gets the descriptor from that call's answer, so an
 * operation that started earlier would act on a descriptor that does not exist, and answer EBADF without a step
 * in the kernel.
 */

/** An operation of a client, by their numbers. */
export type ScriptPlace = readonly [client: number, nth: number];

/**
 * For each operation of each client, those of others that have to be over before it; undefined: none has a
 * dependency.
 */
export function needsOf({ clients }: Pick<Scenario, 'clients'>): ScriptPlace[][][] | undefined {
  const makers = new Map<string, ScriptPlace>();
  clients.forEach((script, client) => {
    script.forEach((action, nth) => {
      const made = madeBy(action);
      if (made !== undefined && !makers.has(made)) makers.set(made, [client, nth]);
    });
  });
  const needs = clients.map((script, client) =>
    script.map((action) =>
      usedBy(action).flatMap((object) => {
        const maker = makers.get(object);
        return maker === undefined || maker[0] === client ? [] : [maker];
      }),
    ),
  );
  return needs.flat(2).length === 0 ? undefined : needs;
}

/** The link or the program that an action creates, as `objectsOf()` has it. */
export function madeBy(action: Action): string | undefined {
  const link = linkMadeBy(action)?.link;
  if (link !== undefined) return `link ${link}`;
  return action.do === 'BPF_PROG_LOAD' ? `prog ${action.program.id}` : undefined;
}

/** The links and programs that an action uses. */
function usedBy(action: Action): readonly string[] {
  const made = madeBy(action);
  return searchedCall(action)
    .objectsOf(action)
    .filter((object) => /^(link|prog) /.test(object) && object !== made);
}
