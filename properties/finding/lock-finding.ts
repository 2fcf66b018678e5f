/** Breaches of the discipline of locks. */
export type LockFinding =
  /** State was written by a task that does not hold its lock; of several that would do, all. */
  | {
      readonly is: 'writes-without-lock';
      readonly what: string;
      readonly locks: readonly string[];
      /** The last part of a routine that ran before the write was seen. */
      readonly by: string;
    }
  /** A function that asserts a lock was called without it. */
  | { readonly is: 'runs-without-lock'; readonly routine: string; readonly lock: string }
  /** Each lock of the cycle is taken while the one before it is held. */
  | { readonly is: 'locks-in-a-cycle'; readonly locks: readonly string[] }
  /** A call has returned and still holds a lock. */
  | { readonly is: 'lock-is-kept'; readonly lock: string }
  /** A lock is released by a task that did not take it. */
  | { readonly is: 'releases-without-holding'; readonly by: string };
