import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';

/** What `readTracepoint()` reads. */
export function printTracepoint({ name, prototype, faultable }: DeclaredTracepoint): string {
  return `${name} = tracepoint(${prototype})${faultable === true ? ' faultable' : ''}`;
}

/**
 * `xdp_exception = tracepoint(ptr, ptr, u32)`, `sys_enter = tracepoint(ptr, s64) faultable`; undefined when it is none. An
 * InputError says which type it cannot have.
 */
export function readTracepoint(line: string): DeclaredTracepoint | undefined {
  const [, name = '', prototype = '', faultable] =
    /^([a-z_]\w*) = tracepoint\((.*)\)( faultable)?$/.exec(line) ?? [];
  return name === '' ? undefined : declareTracepoint(name, prototype, faultable !== undefined);
}
