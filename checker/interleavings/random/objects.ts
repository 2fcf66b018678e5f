import type { Action } from '../../../model/action.ts';

/** The fields of actions that name an object which belongs to one client. */
const FIELDS = ['ops', 'gops', 'kprobe', 'kretprobe', 'fprobe', 'link', 'prog', 'module'] as const;

/** The objects that an action is about, by name: clients that share one have to come to an agreement. */
export function objectsOf(action: Action): string[] {
  const fields = action as unknown as Readonly<Record<string, unknown>>;
  const named = FIELDS.flatMap((field) => (field in fields ? [`${field} ${String(fields[field])}`] : []));
  if (action.do === 'BPF_PROG_LOAD') return [...named, `prog ${action.program.id}`];
  if (action.do === 'kfree') return [`${kindOf(action.object)} ${action.object}`];
  if (action.do === 'set_ftrace_filter') return ['ops global_ops'];
  if (action.do.endsWith('(ip)') && 'ip' in action) return [`direct ${action.ip}`];
  return named;
}

/** The field by which other actions name an object: `ops` of `direct#1`. */
function kindOf(object: string): string {
  const [kind = ''] = object.split('#');
  return kind === 'direct' ? 'ops' : kind;
}
