import type { Crash } from '../../model/core/crash.ts';
import type { KernelObject } from '../../model/core/kernel-object.ts';
import type { Owner } from '../../model/core/object-name.ts';
import { readObjectName } from '../../model/core/object-name.ts';
import { crashLaw } from '../observed/crash-law.ts';

/** I-21. That a handler runs at all after its client has unregistered is `probes-see-old-or-new`'s to find. */
export const noHandlerAfterUnregister = crashLaw({
  name: 'task/no-handler-after-unregister',
  sentence:
    'After a client has unregistered, its handler is not running and is not called again, so that the client may free it.',
  source:
    'kernel/trace/ftrace.c ftrace_shutdown; kernel/kprobes.c unregister_kprobe; kernel/trace/fprobe.c unregister_fprobe',
  witness: 'an object freed by its client during a call',
  unmet: 'objects of clients stay',
  isBreach: isOfFreedObject,
  isPremise: (happening) =>
    happening.is === 'freed' && happening.object.is !== 'code' && isClients(happening.object),
});

function isOfFreedObject(crash: Crash): boolean {
  if (crash.is === 'use after free') return isClients(crash.object);
  return (
    crash.is === 'reused fprobe' ||
    crash.is === 'ops without func' ||
    crash.is === 'fprobe without exit handler'
  );
}

/**
 * What a client may free: an ops (BPF trampolines have theirs), a user of function graph, a kprobe, a kretprobe, an
 * fprobe.
 */
function isClients(object: KernelObject): boolean {
  const name = nameOf(object);
  return name !== undefined && FREEING.has(readObjectName(name).owner);
}

const FREEING: ReadonlySet<Owner> = new Set(['client', 'link', 'trampoline']);

/** The name of an object that is named after its owner. */
function nameOf(object: KernelObject): string | undefined {
  if (object.is === 'code') return object.of;
  if (object.is === 'graph link') return object.graphOps;
  return 'name' in object ? object.name : undefined;
}
