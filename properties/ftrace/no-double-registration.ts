import { callOf } from '../../model/client/all.ts';
import type { PromisedClient } from '../../model/contract/promises.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** I-9, first half; failed-calls-have-no-effect has the second. */
export const noDoubleRegistration: AttachLaw = {
  name: 'ftrace/no-double-registration',
  sentence:
    'Registering a registered object is refused, and so is changing or unregistering one that is not registered.',
  source:
    'kernel/trace/ftrace.c  __register_ftrace_function, __unregister_ftrace_function; kernel/kprobes.c  warn_kprobe_rereg',
  witness: 'a second registration, or an unregistration without one',
  judge: (moment) => {
    const { action, outcome, promised } = moment;
    const { registered, role } = callOf(action);
    const object = registered?.(action);
    if (object === undefined || moment.outcome.died !== undefined || outcome.errno === 'EBADF')
      return 'not applicable';
    const isRegistered = promised.clients.some((client) => isOf(object, client));
    if (isRegistered !== (role === 'attaches')) return 'not applicable';
    if (outcome.errno !== 0) return 'held';
    return { is: 'object-is-accepted', action: action.do, object, registered: isRegistered };
  },
};

/** A direct call added to an ops is a client in its own right. */
function isOf(object: string, client: PromisedClient): boolean {
  return client.object === object || client.site?.ops === object;
}
