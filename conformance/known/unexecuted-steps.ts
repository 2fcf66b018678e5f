/** A step of a kernel function that no part of the default run executes. */
export interface UnexecutedStep {
  /** `free_rethook_node_rcu: free the node`. */
  readonly step: string;
  /** The command or the test that executes it, or the reason why none does. */
  readonly why: string;
}

export const UNEXECUTED: readonly UnexecutedStep[] = [];
