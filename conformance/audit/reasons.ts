/*
 * Reasons of the audit that several rows have. Each says why no client of the model can observe the difference, or
 * which sentence of docs/scope.md excludes it.
 */

export const FIRST_FAILURE =
  'allocations that end the function alike are one part of the model, the first: what follows it cannot fail';

export const NO_MEMORY_LEFT = 'the memory of a failed call is not in the state: nothing can reach it';

export const FIRST_INTERFACE =
  'docs/scope.md, known differences: the (ip, addr) interface has one entry a descriptor, and neither allocation fails';
