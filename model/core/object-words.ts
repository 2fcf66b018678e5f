import type { KernelObject } from './kernel-object.ts';

/** The name of an object in a report: nothing reads it back. */
export function objectText<K extends KernelObject['is']>(object: KernelObject<K>): string {
  return WORDS[object.is](object);
}

const name = (object: { readonly name: string }): string => object.name;

/** Names of the kernel where it has one. Objects of clients and images are called by their numbered names. */
const WORDS: { readonly [K in KernelObject['is']]: (object: KernelObject<K>) => string } = {
  ops: name,
  'graph ops': name,
  kprobe: name,
  kretprobe: name,
  'optimised kprobe': name,
  fprobe: name,
  rethook: name,
  program: ({ number }) => `prog#${number}`,
  link: name,
  'graph link': ({ graphOps }) => graphOps,
  trampoline: ({ target }) => `the trampoline of ${target}`,
  'shared trampoline': name,
  image: name,
  code: ({ of }) => of,
  text: ({ fn }) => `the text of ${fn}`,
  'retired table': ({ table }) => `table ${table}`,
  direct_functions: () => 'direct_functions',
  'direct entry': ({ ip }) => `the entry of ${ip} in direct_functions`,
  hash: ({ which, ops }) => `the ${which} hash of ${ops}`,
  'probe array': ({ array }) => `${array}, an array of probes`,
  'program array': ({ array }) => `${array}, an array of programs`,
  'probe data': ({ address }) => `__bpf_trace_run is given ${address}`,
  metadata: ({ fn }) => (fn === undefined ? 'metadata' : `the metadata of ${fn}`),
  'metadata node': ({ fn }) => `what ${fn} has of a program`,
  'metadata array': () => 'an array of metadata that was replaced',
};
