import { crashLaw } from '../observed/crash-law.ts';

/** I-23. */
export const moduleTextStaysWhileInUse = crashLaw({
  name: 'task/module-text-stays-while-in-use',
  sentence: 'The text of a module is freed only when no operation works on one of its functions any more.',
  source: 'kernel/module/main.c try_module_get, free_module; kernel/bpf/verifier.c bpf_check_attach_target',
  witness: 'a module was unloaded',
  unmet: 'module text stays',
  isBreach: (crash) => crash.is === 'use after free' && crash.object.is === 'text',
  isPremise: (happening) => happening.is === 'operation over' && happening.done.action.do === 'delete_module',
});
