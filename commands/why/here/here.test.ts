import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../../../conformance/files.ts';
import { readOwnSequence } from '../../../counterexamples/sequences/own-sequence.ts';
import { WIDTH } from '../../../counterexamples/text.ts';
import type { Errno } from '../../../model/core/errno.ts';
import { ERRNO } from '../../../model/core/errno.ts';
import { changed, MACHINES } from '../../../test/captured-machines.ts';
import { scratch } from '../../../test/scratch.ts';
import { whyHere } from './here.ts';

const FUNCTION = 'security_ac_f1';
const { path: pathOf } = scratch();

interface ClientTold {
  readonly client: string;
  readonly errno: Errno | null;
  readonly site: string | null;
  readonly outside: string | null;
  readonly detach: readonly string[] | null;
}

/** The answer of a machine. */
function here(root: string, asked = FUNCTION, kernel?: string) {
  const { text, json } = whyHere({ asked, root, kernel, undoCalls: 3 });
  const clients = json['clients'] as readonly ClientTold[];
  const holders = (json['holders'] as readonly { holder: string }[]).map(({ holder }) => holder);
  const notes = json['notes'] as readonly string[];
  return {
    text,
    json,
    holders,
    notes,
    of: (client: string) => clients.find((own) => own.client === client),
    clients,
  };
}

const ALL = ['program', 'direct', 'patch', 'post', 'ops', 'busy', 'shared', 'old'];

describe('a captured machine', () => {
  test.each(ALL)('%s: every new client is answered as the kernel has answered it', (name) => {
    const root = join(MACHINES, name);
    const answers = JSON.parse(readText(join(root, 'answers.json'))) as Readonly<Record<string, number>>;
    const { clients, text, notes } = here(root);
    const own = clients.map(({ client, errno }) => [client, errno === null ? 0 : -ERRNO[errno]]);
    expect(Object.fromEntries(own)).toEqual(answers);
    expect(notes.filter((note) => /cannot be rebuilt|differs/.test(note))).toEqual([]);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
  });

  test.each(ALL)('%s: the rebuilt state is a sequence that can be checked', (name) => {
    const { json } = here(join(MACHINES, name));
    const calls = json['calls'] as readonly string[];
    const lines = [
      `kernel   ${json['kernel']}`,
      '',
      `${FUNCTION} [attachcheck] = function(u64 -> u64)`,
      ...calls,
      '',
    ];
    expect(readOwnSequence(lines.join('\n')).cases[0].actions).toHaveLength(calls.length);
  });
});

describe('four causes of EBUSY', () => {
  const DIRECT = 'a direct call of a module';
  const PATCH = 'a live patch';
  const OWN_PATCH = 'echo 0 > /sys/kernel/livepatch/attachcheck_livepatch01/enabled';

  test('a direct call where there is one', () => {
    const site = 'register_ftrace_direct: EBUSY  a site of the filter has a direct call';
    expect(here(join(MACHINES, 'program')).of(DIRECT)).toMatchObject({
      site,
      detach: ['close BPF link 7: end bpftrace (812)'],
    });
    const module = here(join(MACHINES, 'direct'));
    expect(module.holders).toEqual(['direct call of recorder_tramp_1 [attachcheck]']);
    const detach = ['unregister the direct call of recorder_tramp_1 [attachcheck]'];
    expect(module.of(DIRECT)).toMatchObject({ site, detach });
    expect(module.of('a BPF program, fentry')).toMatchObject({ site, detach });
  });

  test('an ops with IPMODIFY beside a live patch; klp itself adds a second patch to its ops', () => {
    const { of, holders } = here(join(MACHINES, 'patch'));
    expect(holders).toEqual(['live patch attachcheck_livepatch01']);
    expect(of('another ftrace_ops with IPMODIFY')).toMatchObject({
      site: '__ftrace_hash_update_ipmodify: EBUSY  another IPMODIFY ops has the function',
      detach: [OWN_PATCH],
    });
    expect(of(PATCH)).toMatchObject({ errno: null, site: null, detach: [] });
    expect(of(PATCH)!.outside).toContain('klp adds it to the ops');
  });

  test('a live patch while another is in transition', () => {
    const file = 'sys/kernel/livepatch/attachcheck_livepatch01/transition';
    const { of } = here(changed(pathOf('transition'), 'patch', { [file]: '1\n' }));
    expect(of(PATCH)).toMatchObject({ errno: 'EBUSY', outside: expect.stringContaining('in transition') });
    expect(of(PATCH)!.detach).toEqual([`wait until /${file} is 0`]);
  });

  test('a live patch where a kprobe has a post_handler', () => {
    const { of, holders } = here(join(MACHINES, 'post'));
    expect(holders).toEqual([`kprobe at ${FUNCTION}+0x4, with a post_handler (the flag I)`]);
    expect(of(PATCH)).toMatchObject({
      site: '__ftrace_hash_update_ipmodify: EBUSY  another IPMODIFY ops has the function',
      detach: [`unregister the kprobe at ${FUNCTION}+0x4`],
    });
  });

  test('a live patch where a direct call cannot share', () => {
    expect(here(join(MACHINES, 'direct')).of(PATCH)).toMatchObject({
      site: 'prepare_direct_functions_for_ipmodify: EBUSY  the direct ops cannot share',
      detach: ['unregister the direct call of recorder_tramp_1 [attachcheck]'],
    });
  });
});

describe('what is not known', () => {
  test('without bpftool the package is named, and one program is assumed', () => {
    const { notes, holders, of } = here(
      changed(pathOf('no-bpftool'), 'program', { 'bpftool-link.json': undefined }),
    );
    expect(notes[0]).toMatch(/bpftool-link\.json is missing, so BPF links are not known: bpftool -j link > /);
    expect(notes[1]).toMatch(
      /^which programs are on bpf_trampoline_\d+ is not known: one fentry is assumed$/,
    );
    expect(holders).toEqual([expect.stringMatching(/^BPF programs on bpf_trampoline_\d+$/)]);
    expect(of('a direct call of a module')).toMatchObject({ errno: 'EBUSY' });
  });

  test('without a list of kprobes their handler still names one', () => {
    const { notes, holders } = here(
      changed(pathOf('no-list'), 'post', { 'sys/kernel/debug/kprobes/list': undefined }),
    );
    expect(notes[0]).toMatch(/kprobes\/list is missing, so kprobes are not known: mount debugfs$/);
    expect(holders).toEqual(['a kprobe with a post_handler (the flag I)']);
  });

  test('the handler of an ops is named where the kernel does', () => {
    const line = `${FUNCTION} [attachcheck] (1) R I     M \ttramp: 0xffffffffc0232000 (kpatch_handler+0x0/0x10 [kpatch]) ->kpatch_handler+0x0/0x10 [kpatch]\n`;
    const files = { 'sys/kernel/tracing/enabled_functions': line, 'sys/kernel/debug/kprobes/list': '' };
    const { holders, of } = here(changed(pathOf('named'), 'post', files));
    expect(holders).toEqual(['an ftrace_ops with the handler kpatch_handler, IPMODIFY']);
    expect(of('a live patch')).toMatchObject({
      errno: 'EBUSY',
      detach: ['unregister the ftrace_ops with the handler kpatch_handler'],
    });
  });

  test('a holder that this kernel does not take, and a state that differs, are said', () => {
    const { notes } = here(join(MACHINES, 'shared'), FUNCTION, '6.1');
    expect(notes.join('\n')).toMatch(/BPF link 9, .* cannot be rebuilt in 6\.1: .* answers EOPNOTSUPP/);
    const line = `${FUNCTION} [attachcheck] (1)   I D   M \n`;
    const files = { 'sys/kernel/tracing/enabled_functions': line };
    expect(here(changed(pathOf('differs'), 'busy', files)).notes.join('\n')).toContain(
      'the rebuilt state differs: ',
    );
  });

  test('ftrace that is switched off', () => {
    const files = { 'sys/kernel/tracing/enabled_functions': '', 'proc/sys/kernel/ftrace_enabled': '0\n' };
    const { notes, of } = here(changed(pathOf('off'), 'program', files));
    expect(notes.at(-1)).toContain('kernel.ftrace_enabled is 0');
    expect(of('a live patch')).toMatchObject({ errno: 'EBUSY', detach: ['sysctl kernel.ftrace_enabled=1'] });
  });

  test('of many programs each is named that has to go', () => {
    const [link] = JSON.parse(readText(join(MACHINES, 'program', 'bpftool-link.json'))) as object[];
    const links = Array.from({ length: 10 }, (_, i) => ({ ...link, id: 20 + i, pids: [] }));
    const { of, holders } = here(
      changed(pathOf('many'), 'program', { 'bpftool-link.json': JSON.stringify(links) }),
    );
    expect(holders).toHaveLength(10);
    expect(of('a direct call of a module')!.detach).toEqual(
      links.map(({ id }) => `close BPF link ${id}: bpftool -f link shows where it is pinned`),
    );
  });

  test('a function without any client', () => {
    const { holders, text, clients } = here(join(MACHINES, 'program'), 'attachcheck:security_ac_f2');
    expect(holders).toEqual([]);
    expect(text).toContain('  held by    no client that is known\n');
    expect(clients.filter(({ errno }) => errno !== null)).toEqual([]);
  });
});
