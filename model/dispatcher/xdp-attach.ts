import type { FunctionName, ProgId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { bpfProgPut } from '../trampoline/release.ts';
import { bpfProgGet } from '../trampoline/tracing-attach.ts';
import { bpfDispatcherChangeProg } from './change-prog.ts';
import type { XdpWorld } from './dispatcher.ts';
import { xdpOf } from './dispatcher.ts';

/*
 * Programs of devices, net/core/dev.c, in generic mode (XDP_FLAGS_SKB_MODE), with `rtnl_mutex` held. A program has a
 * reference for `dev->xdp_prog` and one for `dev->xdp_state`.
 */

interface ChangeArgs {
  dev: FunctionName;
  /** 0: the file descriptor is -1, and the device's program goes. */
  prog: ProgId;
}

interface Changing extends ChangeArgs {
  old?: ProgId;
}

/** dev_change_xdp_fd() of IFLA_XDP; without XDP_FLAGS_REPLACE any program that is there is replaced. */
export const devChangeXdpFd = routine<XdpWorld, ChangeArgs>(
  'dev_change_xdp_fd',
  ({ holding, when, refuse, attempt, call }) => [
    holding('rtnl_mutex', [
      when('there is a program', (_, { prog }) => prog !== 0, [
        refuse('EBADF', 'there is no such program', (k, { prog }) => k.bpf.progs[prog]?.open !== true),
        refuse('EINVAL', 'it is no XDP program', (k, { prog }) => !getXdp(k, prog)),
      ]),
      attempt(
        [call(devXdpAttach, (_, { dev, prog }) => ({ dev, prog }))],
        [
          when('there is a program', (_, { prog }) => prog !== 0, [
            call(bpfProgPut, (_, { prog }) => ({ prog })),
          ]),
        ],
      ),
    ]),
  ],
);

/** bpf_prog_get_type_dev(). */
function getXdp(k: XdpWorld, prog: ProgId): boolean {
  return k.bpf.progs[prog]?.probe === 'xdp' && bpfProgGet(k, prog);
}

/** dev_xdp_attach(). A device keeps the program that it has already, and the caller's reference replaces its own. */
const devXdpAttach = routine<XdpWorld, ChangeArgs, Changing>('dev_xdp_attach', ({ step, when, call }) => [
  step('dev_xdp_prog', (k, locals) => {
    locals.old = entry(xdpOf(k).devices, locals.dev).stateProg;
  }),
  when('the program changes', (_, { prog, old }) => prog !== old, [
    call(devXdpInstall, (_, { dev, prog }) => ({ dev, prog })),
  ]),
  step('dev_xdp_set_prog', (k, { dev, prog }) => {
    entry(xdpOf(k).devices, dev).stateProg = prog;
  }),
  when('there was a program', (_, { old = 0 }) => old !== 0, [
    call(bpfProgPut, (_, { old = 0 }) => ({ prog: old })),
  ]),
]);

/** dev_xdp_install(): the device has the program before the dispatcher has it. */
const devXdpInstall = routine<XdpWorld, ChangeArgs, Changing>('dev_xdp_install', (words) => {
  const { when, step, call } = words;
  return [
    when('there is a program', (_, { prog }) => prog !== 0, [
      step('bpf_prog_inc', (k, { prog }) => {
        entry(k.bpf.progs, prog).refs++;
      }),
    ]),
    ...genericXdpInstall(words),
    call(bpfDispatcherChangeProg, (k, { dev, prog }) => ({
      from: entry(xdpOf(k).devices, dev).stateProg,
      to: prog,
    })),
  ];
});

/** generic_xdp_install(), the `ndo_bpf` of a device without one. It cannot fail. */
function genericXdpInstall({ step, when, call }: RoutineWords<XdpWorld, Changing>) {
  return [
    step('publish dev->xdp_prog', (k, locals) => {
      const device = entry(xdpOf(k).devices, locals.dev);
      locals.old = device.xdpProg;
      device.xdpProg = locals.prog;
    }),
    when('a program was there', (_, { old = 0 }) => old !== 0, [
      call(bpfProgPut, (_, { old = 0 }) => ({ prog: old })),
    ]),
  ];
}
