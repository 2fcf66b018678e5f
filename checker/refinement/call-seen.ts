import { functionsCalled, runCall } from '../../model/call/call.ts';
import type { CallRun } from '../../model/call/call-frame.ts';
import { crashOf } from '../../model/call/exception.ts';
import type { InKernel, RunMachine } from '../../model/call/run-code.ts';
import type { ActionOf } from '../../model/client/all.ts';
import { Oops } from '../../model/core/oops.ts';
import { Hung } from '../../model/core/run.ts';
import type { Kernel } from '../../model/kernel.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { run } from '../../model/x86/run.ts';

/**
 * The events of a call, as text: the programs and the body in their order, each with its arguments, and the result
 * for the caller.
 */
export type CallSeen = string;

/** An observer of a call: a program, or the function's own body. */
export interface SeenBy {
  readonly who: string;
  readonly fn: string;
  readonly args?: readonly string[];
  readonly ret?: string;
  readonly cookie?: string;
  readonly ip?: string;
}

/** The events of a call, in parts. A crash is a crash, whatever its cause: its text is not compared. */
export interface CallShown {
  readonly events: readonly SeenBy[];
  /** The caller's result, and its damage; a crash. */
  readonly returned: string;
}

/** Makes a call in a kernel, which it changes, from its start to its end. */
export function callIn(
  k: Kernel,
  { fn, registers, stack }: ActionOf<'call'>,
  inKernel: InKernel<Kernel> = KERNEL_PROGRAM,
  runMachine: RunMachine = run,
): CallSeen {
  try {
    const request = { fn, registers, stack };
    const done = runCall(k, functionsCalled(k, fn), request, inKernel, runMachine);
    return JSON.stringify({ events: done.events.flatMap(seenBy), returned: returnedOf(done) });
  } catch (error) {
    if (!(error instanceof Oops) && !(error instanceof Hung)) crashOf(error);
    return JSON.stringify({ events: [], returned: CRASH });
  }
}

/** The inverse. */
export function readSeen(seen: CallSeen): CallShown {
  return JSON.parse(seen) as CallShown;
}

/** For a call that does not return. */
export const CRASH = 'a crash';

function seenBy({ kind, who, fn, args, ret, cookie, ip }: CallRun['events'][number]): SeenBy[] {
  if (kind === 'body') return [{ who, fn, args: args ?? [] }];
  if (kind !== 'program') return [];
  return [
    {
      who,
      fn,
      args: args ?? [],
      ...(ret === undefined ? {} : { ret }),
      cookie: cookie ?? '',
      ...(ip === undefined ? {} : { ip }),
    },
  ];
}

function returnedOf(run: CallRun): string {
  if (run.fault !== undefined) return CRASH;
  if (run.gone) return 'nothing: the task has ended';
  const wrong = [
    ...run.calleeSaved.map((register) => `${register} lost`),
    ...(run.stackBalanced ? [] : ['the stack out of balance']),
    ...(run.callerStackIntact ? [] : ["the caller's stack written to"]),
  ];
  return [run.rax, ...wrong].join(', ');
}
