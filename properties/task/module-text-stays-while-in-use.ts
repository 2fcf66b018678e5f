import { crashLaw } from '../observed/crash-law.ts';

/** I-23. */
export const moduleTextStaysWhileInUse = crashLaw({
  name: 'task/module-text-stays-while-in-use',
  sentence: 'Module text is freed only after the last operation on its functions has finished.',
  source: 'kernel/module/main.c try_module_get, free_module; kernel/bpf/verifier.c bpf_check_attach_target',
  witness: 'a module unloaded',
  unmet: 'module text stays',
  isBreach: (crash) => crash.is === 'use after free' && crash.object.is === 'text',
  isPremise: (happening) => happening.is === 'operation over' && happening.done.action.do === 'delete_module',
});
