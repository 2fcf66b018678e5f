import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { InputError } from '../../model/core/input-error.ts';
import { nearestProfile } from './nearest.ts';
import { NEEDED_OPTIONS } from './options.ts';
import { ownKernel, requirePreemption } from './tree.ts';

const ALL = NEEDED_OPTIONS.map(({ option }) => `${option}=y\n`).join('');
const BUILT = {
  '.config': ALL,
  vmlinux: '',
  'arch/x86/boot/bzImage': '',
  'scripts/mod/modpost': '',
  'include/config/kernel.release': '6.12.117\n',
};

let tree = '';

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'attachcheck-tree-'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function build(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(tree, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** The sentence by which it is refused. */
function refusal(named: Parameters<typeof ownKernel>[0] = { tree }): string {
  try {
    ownKernel(named);
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message.replaceAll(tree, 'TREE');
  }
  throw new Error('it is not refused');
}

test('a tree that was built has its release, and the types beside it', () => {
  build(BUILT);
  expect(ownKernel({ tree })).toEqual({
    headers: tree,
    image: join(tree, 'arch/x86/boot/bzImage'),
    vmlinux: join(tree, 'vmlinux'),
    release: '6.12.117',
    clang: false,
  });
});

test('an image is held together with its headers, whose types may be in the image alone', () => {
  const { vmlinux: _, 'arch/x86/boot/bzImage': __, ...headers } = BUILT;
  build({ ...headers, image: '', '.config': `${ALL}CONFIG_CC_IS_CLANG=y\n` });
  const { vmlinux, clang, image } = ownKernel({ image: join(tree, 'image'), headers: tree });
  expect([vmlinux, clang, image]).toEqual([undefined, true, join(tree, 'image')]);
});

describe('a tree that cannot be used is refused in one sentence', () => {
  test.each([
    ['.config', 'TREE/.config is missing: the tree is not configured (docs/your-kernel.md)'],
    ['vmlinux', 'TREE/vmlinux is missing: make bzImage'],
    ['arch/x86/boot/bzImage', 'TREE/arch/x86/boot/bzImage is missing: make bzImage'],
    ['scripts/mod/modpost', 'TREE is not prepared for modules: make modules_prepare'],
    ['include/config/kernel.release', 'TREE/include/config/kernel.release is missing: make modules_prepare'],
  ])('without %s', (name, sentence) => {
    build(Object.fromEntries(Object.entries(BUILT).filter(([other]) => other !== name)));
    expect(refusal()).toBe(sentence);
  });

  test('that is not there', () => {
    expect(refusal({ tree: join(tree, 'none') })).toBe('there is no folder TREE/none');
  });

  test('without options, and with one that keeps the recorder out', () => {
    const lacking = ALL.replace('CONFIG_KPROBES=y', '# CONFIG_KPROBES is not set').replace(
      'CONFIG_FPROBE=y\n',
      '',
    );
    build({ ...BUILT, '.config': lacking });
    expect(refusal()).toBe(
      'TREE/.config lacks CONFIG_KPROBES, CONFIG_FPROBE (kprobes and kretprobes are registered): docs/your-kernel.md',
    );
    build({ ...BUILT, '.config': `${ALL}CONFIG_MODULE_SIG_FORCE=y\n` });
    expect(refusal()).toBe(
      'TREE/.config must not have CONFIG_MODULE_SIG_FORCE (the recorder is not signed): docs/your-kernel.md',
    );
  });
});

test('tasks are stopped in a tree that preempts', () => {
  build({ ...BUILT, '.config': `${ALL}CONFIG_PREEMPT_VOLUNTARY=y\n` });
  expect(() => requirePreemption({ headers: tree })).toThrow(
    'lacks CONFIG_PREEMPT or CONFIG_PREEMPT_DYNAMIC',
  );
  build({ ...BUILT, '.config': `${ALL}CONFIG_PREEMPT_DYNAMIC=y\n` });
  expect(() => requirePreemption({ headers: tree })).not.toThrow();
});

test.each([
  ['5.15.1', '6.1'],
  ['6.1.0-56-amd64', '6.1'],
  ['6.3.2', '6.1'],
  ['6.4.0-rc1', '6.12'],
  ['6.12.117', '6.12'],
  ['6.13.4', '6.12'],
  ['6.14.0', '7.2'],
  ['7.2.13+deb14-amd64', '7.2'],
  ['8.0.0-rc1-next', '7.3'],
])('%s is nearest to %s', (release, profile) => {
  expect(nearestProfile(release)).toBe(profile);
});

test('what is no release is refused', () => {
  expect(() => nearestProfile('next')).toThrow('next is no release of Linux');
});
