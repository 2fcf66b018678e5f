/**
 * A value as a reader gets it: nothing in it can be assigned, at any depth. Ids are texts with a brand, and
 * stay what they are. Only the compiler knows: there is no copy and no freezing at run time.
 */
export type DeepReadonly<T> = unknown extends T
  ? T
  : T extends Plain | ((...args: never[]) => unknown)
    ? T
    : { readonly [K in keyof T]: DeepReadonly<T[K]> };

type Plain = string | number | bigint | boolean | symbol | null | undefined | Uint8Array;
