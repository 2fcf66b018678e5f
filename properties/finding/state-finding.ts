import type { GraphOpsId, Ip, OpsId } from '../../model/core/ids.ts';
import type { DynFtrace } from '../../model/ftrace/record.ts';
import type { Branch } from '../../model/text/branch.ts';

/** Breaches seen in ftrace's records, in text, and in the pointers between them. */
export type StateFinding =
  /** The count of a record is not the number of ops that trace its function. */
  | {
      readonly is: 'record-count-differs';
      readonly ip: Ip;
      readonly tracing: readonly string[];
      readonly observed: number;
    }
  | { readonly is: 'traced-without-a-client'; readonly ip: Ip; readonly count: number }
  | {
      readonly is: 'record-flags-differ';
      readonly ip: Ip;
      readonly tracing: readonly string[];
      readonly expected: RecordSeen;
      readonly observed: RecordSeen;
    }
  /** Two ops of a kind that a function may have once. */
  | {
      readonly is: 'ops-exclude-each-other';
      readonly kind: 'direct' | 'IPMODIFY';
      readonly ip: Ip;
      readonly ops: readonly OpsId[];
    }
  /** A call site does not match the ops that trace its function. */
  | {
      readonly is: 'site-differs';
      readonly ip: Ip;
      readonly tracing: readonly string[];
      readonly expected: Branch | UnaskedLeftover;
      readonly observed: Branch;
    }
  /** A call site does not match its record; `missing`: the target that the record refers to does not exist. */
  | {
      readonly is: 'site-is-not-as-recorded';
      readonly ip: Ip;
      readonly expected: RecordedState;
      readonly observed: Branch;
    }
  | {
      readonly is: 'inner-call-differs';
      readonly call: 'ftrace_call' | 'ftrace_regs_call';
      readonly expected: string;
      readonly registered: readonly string[];
      readonly observed: Branch;
    }
  /** The trampoline of an ops calls another handler, or passes another ops. */
  | {
      readonly is: 'private-trampoline-calls-another';
      readonly trampoline: string;
      readonly expected: string;
      readonly observed: string;
    }
  | {
      readonly is: 'private-trampoline-hands-another-over';
      readonly trampoline: string;
      readonly expected: string;
      readonly observed: string | null;
    }
  | { readonly is: 'filter-became-everything'; readonly ops: OpsId }
  /**
   * `owner`: the direct ops that traces the function; `expected` null with an owner: no client requested a direct
   * call.
   */
  | {
      readonly is: 'direct-entry-differs';
      readonly ip: Ip;
      readonly owner: string | null;
      readonly expected: string | null;
      readonly observed: string | null;
    }
  | {
      readonly is: 'counter-differs';
      readonly counter: Counter;
      readonly expected: number;
      readonly observed: number;
    }
  /** Calls reach the users of function graph on another path; `direct`: without the array, empty: the stub. */
  | {
      readonly is: 'graph-path-differs';
      readonly users: readonly GraphOpsId[];
      readonly direct: readonly GraphOpsId[] | null;
    }
  /** `jump`: a kprobe in a body is a jump and must not be, or has to be one and is not. */
  | { readonly is: 'kprobe-jump-differs'; readonly ip: Ip; readonly jump: boolean }
  | { readonly is: 'ops-is-freed-on-the-list'; readonly ops: OpsId }
  /** A pointer to executable memory that is retired or freed. */
  | {
      readonly is: 'leads-to-memory-that-left';
      readonly from: Lead;
      readonly page: string;
      readonly state: 'retired' | 'freed';
    };

/** A record's count and flags. */
export type RecordSeen = Pick<DynFtrace, 'count' | 'flags'>;

/** A direct call that no client requested. */
export interface UnaskedLeftover {
  readonly is: 'an unrequested direct call';
}

/** What a record says about its site. */
export type RecordedState =
  | { readonly is: 'nop5' }
  | { readonly is: 'branch'; readonly to: string }
  | { readonly is: 'missing'; readonly what: 'entry of direct_functions' | 'trampoline' };

/** A pointer to a page of executable memory. */
export type Lead =
  | { readonly is: 'call site' | 'direct call' | 'BPF trampoline'; readonly of: string }
  | { readonly is: 'ops'; readonly of: string };

/** The counters of users. */
export type Counter =
  | 'ftrace_start_up'
  | 'ftrace_ops_list'
  | 'ftrace_graph_active'
  | 'ftrace_suspend_notifier'
  | 'subops of graph_ops'
  | 'functions of graph_ops'
  | 'kprobe_ftrace_enabled'
  | 'kprobe_ipmodify_enabled'
  | 'armed kprobes'
  | 'nr_fgraph_fprobes'
  | 'nr_ftrace_fprobes';
