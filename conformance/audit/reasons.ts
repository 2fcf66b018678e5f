/*
 * Reasons of the audit that several rows have. Each says why no client of the model can observe the difference, or
 * which sentence of docs/scope.md excludes it.
 */

export const FIRST_FAILURE =
  'allocations that end the function alike are one part of the model, the first: what follows it cannot fail';

export const NO_MEMORY_LEFT = 'the memory of a failed call is not in the state: nothing can reach it';

export const FIRST_INTERFACE =
  'docs/scope.md, known differences: the (ip, addr) interface has one entry a descriptor, and neither allocation fails';

export const ONE_STEP =
  'what the lock protects is one step of the model: no other actor sees a state in between';

export const NOT_COMPILED = 'not compiled: the configurations of the recorded kernels exclude it';

export const NEVER_FAILS = 'the function that it tests always answers 0 on x86-64';

export const TRACING_FILES =
  'docs/scope.md, not modelled: tracing instances and the files of tracefs, filters by pattern, `:mod:` filters';

export const RECURSION = 'docs/scope.md, known differences: no recursion protection';

export const IDLE =
  'no call of the model is made where RCU is not watching (idle code, entry from user mode)';

export const MANAGER_WITHOUT_MEMORY =
  'docs/scope.md, known differences: the allocations of ftrace_hash_move_and_update_subops() do not fail';

export const RECORDS_OF_A_MODULE =
  'the records of a module are not allocated in the model: without memory its functions cannot be attached to (EINVAL)';

export const WRITES_A_BIT = 'the model writes 0 or 1, which proc_dointvec() takes';

export const ENTRY_OF_ANOTHER =
  'the model removes an entry with the right address whatever ops it belongs to, and answers 0';
