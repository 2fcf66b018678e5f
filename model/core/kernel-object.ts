import type { FunctionName, Ip, OpsId } from './ids.ts';

interface Named {
  readonly name: string;
}

/** Things in the kernel's memory, by what they are. */
interface KernelObjects {
  /** What clients hand to the kernel, and what it has of the same kinds itself. */
  ops: Named;
  'graph ops': Named;
  kprobe: Named;
  kretprobe: Named;
  fprobe: Named;
  rethook: Named;
  program: { readonly number: number };
  link: Named;
  /** What the user of function graph has of its link, where multi links go through function graph. */
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
  /** What a raw tracepoint was given, and is nothing any more. */
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
