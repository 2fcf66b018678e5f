import { HOTPLUG, READ_IN_6_12 } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, gotos, locks, modelled, omitted } from './row.ts';

/** Static calls. */
export const STATIC_CALL_INLINE: Audit = {
  file: 'kernel/static_call_inline.c',
  functions: [
    {
      fn: '__static_call_update',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        locks(ALL, 'cpus_read_lock(): all of it', omitted(HOTPLUG)),
        locks(ALL, 'static_call_mutex: all of it', modelled('__static_call_update: lock static_call_mutex')),
        locks(
          ALL,
          'text_mutex, in arch_static_call_transform(): one poke for each site',
          modelled('__static_call_update: lock text_mutex'),
        ),
        gotos(
          ALL,
          'done: it calls the function already',
          modelled('__static_call_update: it calls it already'),
        ),
        gotos(
          ALL,
          'done with a WARN: static calls are not initialised',
          omitted('the kernel of the model has booted'),
        ),
      ],
    },
  ],
};
