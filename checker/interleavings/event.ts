import type { CallRun } from '../../model/call/call-frame.ts';
import type { Caller } from '../../model/call/caller.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { ProgId } from '../../model/core/ids.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Current } from '../../model/task/current.ts';
import type { Interruption } from '../../properties/observed/scenario.ts';
import type { Stepped } from './operations.ts';
import type { EndedCounts, PackedState } from './state.ts';

/** An event in a move that laws may check. */
export type TaskEvent =
  | { readonly is: 'crash'; readonly crash: Crash }
  | {
      readonly is: 'call over';
      readonly caller: number;
      readonly run: CallRun;
      readonly missed: Caller['missed'];
      readonly since: EndedCounts;
      /** The task, or what interrupted it. */
      readonly by: 'task' | Interruption;
      /** Of an interrupt: what the task was in when it came. */
      readonly within: Current | undefined;
    }
  | { readonly is: 'call warned'; readonly warnings: readonly Warning[] }
  | { readonly is: 'operation'; readonly client: number; readonly step: Stepped }
  | { readonly is: 'work'; readonly step: Stepped }
  | { readonly is: 'fetched'; readonly int3: boolean }
  | { readonly is: 'runs program'; readonly prog: ProgId; readonly bodies: number };

/** Receives every move that a state allows: the resulting state, unless the kernel crashed, and the events. */
export type Emit = (move: number, next: PackedState | undefined, event: TaskEvent | undefined) => void;
