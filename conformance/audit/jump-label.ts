import { HOTPLUG, READ_IN_6_12 } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, locks, modelled, omitted, returns } from './row.ts';

/** Static keys. */
export const JUMP_LABEL: Audit = {
  file: 'kernel/jump_label.c',
  functions: [
    {
      fn: 'static_key_enable',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [locks(ALL, 'cpus_read_lock(): all of it', omitted(HOTPLUG))],
    },
    {
      fn: 'static_key_enable_cpuslocked',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'the key is on, before jump_label_mutex is taken',
          modelled('static_key_enable: it is so already'),
        ),
        locks(
          ALL,
          "jump_label_mutex: the text of the key's sites, and its count, which is -1 meanwhile",
          modelled('static_key_enable: lock jump_label_mutex'),
        ),
        locks(
          ALL,
          'text_mutex, in arch_jump_label_transform(): one poke for each site',
          modelled('static_key_enable: lock text_mutex'),
        ),
      ],
    },
    {
      fn: 'static_key_disable_cpuslocked',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'the key is off, before jump_label_mutex is taken; a WARN if another CPU turns it on just then',
          modelled('static_key_enable: it is so already'),
        ),
        locks(
          ALL,
          'jump_label_mutex: the count of the key, then the text of its sites',
          modelled('static_key_enable: lock jump_label_mutex'),
        ),
      ],
    },
    {
      fn: 'jump_label_can_update',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'false: a site in init code that is gone',
          omitted('the sites of the model are in no init code'),
        ),
      ],
    },
  ],
};
