import type { FunctionName, Ip, OpsId } from './ids.ts';

interface Named {
  readonly name: string;
}

/** Things in the kernel's memory, by what they are. */
interface KernelObjects {
  /** Objects that clients hand to the kernel, and its own of the same kinds. */
  ops: Named;
  'graph ops': Named;
  kprobe: Named;
  kretprobe: Named;
  'optimised kprobe': Named;
  fprobe: Named;
  rethook: Named;
  program: { readonly number: number };
  link: Named;
  /** The part of a link that its user of function graph has, where multi links go through function graph. */
  'graph link': { readonly graphOps: string };
  trampoline: { readonly target: FunctionName };
  /** A trampoline of several functions. */
  'shared trampoline': Named;
  image: Named;
  /** Executable memory, by what lies there. */
  code: { readonly of: string };
  /** The text of a module's function. */
  text: { readonly fn: FunctionName };
  /** A table of call sites that was replaced, by its number. */
  'retired table': { readonly table: number };
  direct_functions: object;
  'direct entry': { readonly ip: Ip };
  hash: { readonly which: 'filter' | 'notrace'; readonly ops: OpsId };
  'probe array': { readonly array: string };
  /** Of a tracepoint's perf events. */
  'program array': { readonly array: string };
  /** The data of a raw tracepoint, freed by now. */
  'probe data': { readonly address: string };
  /** Of a function; undefined: of one that is no longer known. */
  metadata: { readonly fn: string | undefined };
  'metadata node': { readonly fn: FunctionName };
  'metadata array': object;
}

/** Something in the kernel's memory; with a kind, one of that kind. */
export type KernelObject<K extends keyof KernelObjects = keyof KernelObjects> = {
  [P in K]: { readonly is: P } & KernelObjects[P];
}[K];
