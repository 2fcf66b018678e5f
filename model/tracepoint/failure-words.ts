import { unreachable } from '../core/unreachable.ts';
import { faultText } from '../x86/fault-words.ts';
import type { StubFailure } from './execute-stub.ts';
import { TRACE_RUN } from './trace-run.ts';

/** Why a stub does not reach the function that runs programs. */
export function failureText(failure: StubFailure): string {
  switch (failure.is) {
    case 'fault':
      return `${faultText(failure.fault)}, at ${failure.place}`;
    case 'depends':
      return `the ${failure.what} at ${failure.place} depends on an argument`;
    case 'elsewhere':
      return `the run does not come to ${TRACE_RUN}()`;
    default:
      return unreachable(failure);
  }
}
