import { isCalledByGraph } from '../../model/contract/on-graph.ts';
import type { PromisedClient } from '../../model/contract/promises.ts';
import { hasFunction } from '../../model/contract/promises.ts';
import type { Ip } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { FTRACE_OPS_FL_DIRECT } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Servers } from '../finding/answer-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { hasFlag, tracingOps } from '../observed/tracing-ops.ts';

/**
 * I-13, and with failed-calls-have-no-effect S11: a link to several functions is on all of them or on none. If a
 * kernel loses the error of a kprobe, this law is not applicable: calls show it, and the sequence continues until one
 * does.
 */
export const successMeansAttached: AttachLaw = {
  name: 'ftrace/success-means-attached',
  sentence:
    'A client that gets 0 is attached: the ops that serves it is enabled and traces every requested function.',
  source:
    'kernel/trace/ftrace.c  ftrace_startup; kernel/kprobes.c  arm_kprobe; kernel/bpf/trampoline.c  bpf_trampoline_multi_attach',
  witness: 'a successful attach',
  judge: (moment) => {
    const { action, after, promised, promises } = moment;
    // Unloading a module takes functions from clients, and attaches none.
    if (!isAlive(moment) || action.do === 'delete_module') return 'not applicable';
    let witness = false;
    for (const client of promises.clients) {
      if (promised.clients.includes(client) || isNotServed(after, client)) continue;
      for (const ip in after.ftrace.records) {
        if (!hasFunction(promises, client, ip)) continue;
        witness = true;
        if (isServed(after, client, ip)) continue;
        const tracing = tracingOps(after, ip).map(({ name }) => name);
        return {
          is: 'client-is-not-served',
          who: client.who,
          ip,
          servers: serversOf(after, client),
          tracing,
        };
      }
    }
    return witness ? 'held' : 'not applicable';
  },
};

function isNotServed({ profile }: KernelView, { kind }: PromisedClient): boolean {
  // No ops serves a device's program.
  return (
    kind === 'xdp' || (profileNamed(profile).kprobeErrorLost && (kind === 'kprobe' || kind === 'kretprobe'))
  );
}

function isServed(k: KernelView, client: PromisedClient, ip: Ip): boolean {
  const servers = serversOf(k, client);
  return tracingOps(k, ip).some(({ name, ops }) =>
    servers === DIRECT ? hasFlag(ops, FTRACE_OPS_FL_DIRECT) : servers.includes(name),
  );
}

const DIRECT: Servers = 'a direct ops';

/** The ops through which a client sees calls. */
function serversOf(k: KernelView, client: PromisedClient): Servers {
  const { kind, object, exit } = client;
  switch (kind) {
    case 'ftrace':
      return [object];
    case 'program':
      return isCalledByGraph(k, client) ? ['graph_ops'] : DIRECT;
    case 'direct':
    case 'extension':
      return DIRECT;
    case 'graph':
      return ['graph_ops'];
    case 'kprobe':
    case 'kretprobe':
      return ['kprobe_ftrace_ops', 'kprobe_ipmodify_ops'];
    case 'kprobe in body':
    case 'xdp':
      return [];
    case 'fprobe':
    case 'kprobe.multi':
      if (profileNamed(k.profile).fprobe === 'fgraph') return [exit ? 'graph_ops' : 'fprobe_ftrace_ops'];
      return [kind === 'fprobe' ? `${object}.ops` : `${object}.fp.ops`];
    default:
      return unreachable(kind);
  }
}
