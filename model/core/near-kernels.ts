import type { KernelVersion, Profile } from './profile.ts';

/*
 * Recorded kernels that differ from a modelled one in few behaviours. A search for the modelled kernel is one for them, so
 * that they cost it no time; `--kernel` names them like the others, and a recording of their own is compared with them.
 */

export type NearVersion = '7.3';

export interface NearKernel {
  /** The modelled kernel that it is as, but for what differs. */
  readonly near: KernelVersion;
  readonly sentence: string;
  readonly differs: Partial<Profile>;
  /** Return sites of the other kernel that it never takes. */
  readonly unreached: readonly string[];
}

export const NEAR_KERNELS: Readonly<Record<NearVersion, NearKernel>> = {
  '7.3': {
    near: '7.2',
    sentence:
      'As 7.2, but ftrace cannot be disabled at run time, and struct_ops members get their stack arguments.',
    differs: { disabledBySysctl: false, memberArgsAbove: 'the caller' },
    unreached: ['ftrace_enable_sysctl: EBUSY  a permanent ops is registered'],
  },
};
