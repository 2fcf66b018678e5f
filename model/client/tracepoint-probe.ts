import { InputError } from '../core/input-error.ts';
import { PROBES } from '../tracepoint/probe-functions.ts';
import { numberOf } from './spelling.ts';

/**
 * A function of the client's with its data, and the tracepoint that it is registered on. The pair of both is
 * the identity of a probe: one function can be registered several times with different data.
 */
export interface TracepointProbe {
  readonly tracepoint: string;
  readonly func: string;
  readonly data: string;
}

export function parseProbe([tracepoint = '', func = '', data = '']: readonly string[]): TracepointProbe {
  if (!PROBES.some((probe) => probe === func))
    throw new InputError(`${func} is no probe; there are ${PROBES.join(', ')}`, func);
  return { tracepoint, func, data: `data#${numberOf(data, 'data')}` };
}
