import { EVERYWHERE } from '../contract/footprint.ts';
import { entry } from '../core/present.ts';
import { initModule } from '../ftrace/module.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { moduleToggle } from './module-toggle.ts';
import { called } from './spelling.ts';

/*
 * init_module() in kernel/module/main.c. add_unformed_module() refuses a name that is live (EEXIST).
 * ftrace_module_init() makes the records, disabled; ftrace_module_enable() counts the registered ops in them
 * and patches the sites before any code of the module runs. A trace begins with all modules loaded, so this
 * call can only follow a delete_module().
 */

/** By name: the functions of the module are those that were declared with it, the same at each load. */
export interface InitModule {
  readonly do: 'init_module';
  readonly module: string;
}

export const initModuleCall: ClientCall<InitModule> = {
  sentence:
    'Loads a module, whose functions are declared as its own. At the beginning all modules are loaded.',
  examples: [{ do: 'init_module', module: 'm1' }],
  service: servedBy(initModule, argsOf),
  role: 'something else',
  isMisuse: (k, { module }) => k.text.modules[module] === undefined,
  // Ops that trace everything trace the new functions too. Those that named one have the old address, and
  // nothing here.
  promised: (p, { module }) => ({
    ...p,
    modules: { ...p.modules, [module]: { ...entry(p.modules, module), live: true } },
  }),
  touched: () => EVERYWHERE,
  undo: ({ module }, _, p) => moduleToggle(p, module),
  print: ({ do: name, module }) => called(name, module),
  parse: ({ name, args: [module = ''] }) => (name === 'init_module' ? { do: name, module } : undefined),
};
