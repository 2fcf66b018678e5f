import type { Action } from '../../model/client/all.ts';
import { readObjectName } from '../../model/core/object-name.ts';
import type { Scenario } from './scenario.ts';

/** Whether another client uses an object of an action: what they do to each other there is their own fault. */
export function isShared({ clients }: Scenario, client: number, action: Action): boolean {
  return clients.some((script, i) => i !== client && script.some((other) => haveOneObject(other, action)));
}

/** Whether two actions name the same object in a client's memory. */
export function haveOneObject(item: Action, other: Action): boolean {
  const objects = clientsObjects(other);
  return clientsObjects(item).some((own) => objects.includes(own));
}

/** The objects in its client's memory that an action names: an ops, a probe, a user of function graph. */
function clientsObjects(action: Action): readonly string[] {
  return Object.values(action).filter(
    (value): value is string =>
      typeof value === 'string' && value.includes('#') && readObjectName(value).owner === 'client',
  );
}
