/** Every action of a client: the union of what the calls in `client/` are made with. */
export type { Action, ActionOf } from './client/all.ts';
