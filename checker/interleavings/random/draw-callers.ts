import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf, hitOf } from '../../../properties/observed/sample-call.ts';
import type { CallerScript } from '../../../properties/observed/scenario.ts';
import { calledByTasks } from '../../sequences/draw/devices.ts';
import type { Subjects } from '../../sequences/draw.ts';

export const CALLERS_MOST = 3;

/** The calls that register and unregister ops with handlers. */
const OF_HANDLERS: readonly Action['do'][] = [
  'ftrace_ops',
  'ftrace_set_filter_ip',
  'ftrace_set_notrace',
  'ftrace_free_filter',
  'register_ftrace_function',
  'unregister_ftrace_function',
  'kfree',
];

/** Whether an action uses an ops with a handler. */
export function isOfHandlers(action: Action): boolean {
  return OF_HANDLERS.includes(action.do) && !('ops' in action && action.ops.startsWith('direct'));
}

/** The callers and their functions, once the operations of a scenario are known. */
export type DrawnCallers = (actions: readonly Action[]) => CallerScript[];

/**
 * One to three tasks that make a call each: now and then the idle task, or one with an interrupt. Where a module is
 * loaded or unloaded, no task calls its functions: a caller holds the module. The idle task, which RCU does not
 * watch, calls functions only if all clients have ftrace handlers: only these wait for it. An interrupt calls no
 * function that does not return: the kernel panics where a task ends in one.
 */
export function callersFor({ functions, tracepoints = [] }: Subjects): fc.Arbitrary<DrawnCallers> {
  const call = fc.record({
    fn: fc.constantFrom(...calledByTasks(functions), ...tracepoints),
    salt: fc.nat(7),
  });
  const script = fc.record({
    made: call,
    interrupt: fc.option(call, { freq: 3 }),
    idle: fc.nat(3).map((n) => n === 0),
  });
  return fc
    .array(script, { minLength: 1, maxLength: CALLERS_MOST, size: 'max' })
    .map((drawn) => (actions) => {
      const moves = actions.some(({ do: name }) => name === 'init_module' || name === 'delete_module');
      const mayIdle = actions.every(isOfHandlers);
      const mayCall = ({ fn }: Drawn) => !moves || isHit(fn) || fn.module === '';
      const mayInterrupt = (drawn: Drawn) => mayCall(drawn) && (isHit(drawn.fn) || !drawn.fn.noreturn);
      return drawn.flatMap(({ made, interrupt, idle }) =>
        mayCall(made)
          ? [
              {
                call: requestOf(made),
                ...(idle && mayIdle ? { idle } : {}),
                ...(!(idle && mayIdle) && interrupt !== null && mayInterrupt(interrupt)
                  ? { interrupt: requestOf(interrupt) }
                  : {}),
              },
            ]
          : [],
      );
    });
}

interface Drawn {
  readonly fn: TracedFunction | DeclaredTracepoint;
  readonly salt: number;
}

function isHit(fn: Drawn['fn']): fn is DeclaredTracepoint {
  return 'prototype' in fn;
}

function requestOf({ fn, salt }: Drawn): CallerScript['call'] {
  const { do: _, ...request } = isHit(fn) ? hitOf(fn, salt) : callOf(fn, salt);
  return request;
}
