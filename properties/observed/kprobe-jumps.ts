import type { Ip } from '../../model/core/ids.ts';
import type { ProbeView } from '../../model/ftrace/probes.ts';
import { functionOf, isInBody, probedAt } from '../../model/text/body-address.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import type { SettledState } from './settled-state.ts';

/** A kprobe whose place the optimiser has given to a jump. */
export function isJump({ text }: { readonly text: Pick<SettledState['text'], 'probed'> }, ip: Ip): boolean {
  const bytes = text.probed[ip] ?? '';
  return bytes.length === 2 * SITE_BYTES && bytes.startsWith('e9');
}

export type KprobesView = Pick<ProbeView, 'probes'>;

/** Whether nothing keeps a kprobe from its jump, as its clients have set it. */
export function isFree(k: KprobesView, ip: Ip): boolean {
  const { probes = [], code = [] } = k.probes.kprobeTable[ip] ?? {};
  const hasPost = probes.some((name) => k.probes.kprobes[name]?.post === true);
  const hasRoom = code.join('').length >= 2 * SITE_BYTES;
  return isEnabled(k, ip) && !hasPost && hasRoom && !within(k, ip).some((other) => isEnabled(k, other));
}

export function isEnabled({ probes: { kprobeTable, kprobes } }: KprobesView, ip: Ip): boolean {
  return (kprobeTable[ip]?.probes ?? []).some((name) => kprobes[name]?.disabled === false);
}

/** The other addresses with kprobes among the instructions that a jump replaces. */
export function within(k: KprobesView, ip: Ip): Ip[] {
  const { offset } = probedAt(ip);
  const bytes = (k.probes.kprobeTable[ip]?.code ?? []).join('').length / 2;
  return Object.keys(k.probes.kprobeTable).filter((other) => {
    if (!isInBody(other) || functionOf(other) !== functionOf(ip)) return false;
    const by = probedAt(other).offset - offset;
    return by > 0 && by < bytes;
  });
}

/**
 * The paths that change where kprobes that others had kept from their jumps get them: an attempt of another client may be
 * what the optimiser has waited for.
 */
export function lateJumpPaths(before: SettledState, after: SettledState): string[] {
  const late = Object.keys(after.probes.kprobeTable).filter(
    (ip) =>
      isInBody(ip) && wasArmed(before, ip) && !isJump(before, ip) && isJump(after, ip) && isFree(after, ip),
  );
  const ops = Object.entries(after.probes.optimizer?.ops ?? {}).filter(([, { ip }]) => late.includes(ip));
  return [
    ...late.flatMap((ip) => [ip, ...within(after, ip)].map((place) => `text/probed/${place}`)),
    ...ops.map(([name]) => `probes/optimizer/ops/${name}/optimized`),
  ];
}

function wasArmed(before: SettledState, ip: Ip): boolean {
  return isEnabled(before, ip) && before.text.probed[ip] !== undefined;
}
