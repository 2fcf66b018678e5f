import { INIT_FUNCTIONS, LOADER, OTHER_STATES, READ_IN_6_12 } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, branches, gotos, locks, modelled, omitted, returns, waits } from './row.ts';

/** Modules are loaded and unloaded, as far as ftrace and kprobes notice; one long table on purpose. */
export const MODULE: Audit = {
  file: 'kernel/module/main.c',
  functions: [
    {
      fn: 'init_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'EPERM, ENOEXEC, EFAULT and others: no permission, a damaged file, no memory',
          omitted(LOADER),
        ),
      ],
    },
    {
      fn: 'add_unformed_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        locks(
          ALL,
          'module_mutex: the look-up of the name, and the entry into the list',
          modelled('init_module: lock module_mutex'),
        ),
        gotos(
          ALL,
          'out, EEXIST: a module of this name is live',
          modelled('init_module: the module is loaded'),
        ),
        gotos(ALL, 'out, EBUSY: one of this name is going', omitted(OTHER_STATES)),
        waits(
          ALL,
          'wait_event_interruptible() until one of this name has finished loading',
          omitted(OTHER_STATES),
        ),
      ],
    },
    {
      fn: 'prepare_coming_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'the errno of klp_module_coming()',
          omitted(
            'live patches of modules are not modelled: a live patch of the model is an IPMODIFY ops of its client',
          ),
        ),
        branches(
          ALL,
          'a notifier refuses the module; those before it see it going',
          omitted('no notifier of the model refuses a module'),
        ),
      ],
    },
    {
      fn: 'do_init_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        gotos(ALL, 'fail, ENOMEM: no memory to free the init sections later', omitted(LOADER)),
        gotos(ALL, "fail_free_freeinit: the module's init function failed", omitted(INIT_FUNCTIONS)),
        waits(ALL, 'fail: synchronize_rcu() before the module goes', omitted(INIT_FUNCTIONS)),
      ],
    },
    {
      fn: 'delete_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EPERM: no CAP_SYS_MODULE', omitted('clients of the model have every capability')),
        returns(
          ALL,
          'ENOENT or EFAULT: the name is empty, too long or not readable',
          omitted('a call of the model names one of its modules'),
        ),
        returns(
          ALL,
          'EINTR: a signal arrives while module_mutex is waited for',
          omitted('tasks of the model get no signals'),
        ),
        locks(
          ALL,
          'module_mutex, until the module is MODULE_STATE_GOING; not the notifiers, which the lock of the model includes',
          modelled('delete_module: lock module_mutex'),
        ),
        locks(
          ALL,
          'kprobe_mutex, in kprobes_module_callback()',
          modelled('delete_module: lock kprobe_mutex'),
        ),
        gotos(
          ALL,
          'out, ENOENT: no module of this name',
          modelled('delete_module: no such module is loaded'),
        ),
        gotos(
          ALL,
          'out, EWOULDBLOCK: other modules use it',
          omitted('modules of the model do not use each other'),
        ),
        gotos(ALL, 'out, EBUSY: it is being loaded or unloaded', omitted(OTHER_STATES)),
        gotos(ALL, 'out, EBUSY: it has an init function and no exit function', omitted(INIT_FUNCTIONS)),
      ],
    },
    {
      fn: 'try_stop_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'EWOULDBLOCK: the module has references, and is not forced',
          modelled('delete_module: the module is held'),
        ),
      ],
    },
    {
      fn: 'free_module',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        locks(ALL, 'module_mutex: the module leaves the list', modelled('delete_module: lock module_mutex')),
        waits(
          ALL,
          'synchronize_rcu() with module_mutex held, before its memory is freed',
          modelled('delete_module: wait for rcu (2)'),
        ),
      ],
    },
  ],
};
