import type { Action } from '../../model/client/all.ts';
import { xdpLoad } from '../../model/client/bpf-prog-load.ts';
import type { ProgId } from '../../model/core/ids.ts';
import { DISPATCHER_FUNC } from '../../model/dispatcher/dispatcher.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { devices } from '../sequences/draw/devices.ts';
import type { FamilyScenario } from './family.ts';

/*
 * XDP programs come to devices and go, while a packet comes in: the static call of their dispatcher changes under the
 * CPU that receives it, and the half of the page that it is in is written again by the next change but one.
 */

type OnDevices = { readonly name: string } & Pick<Scenario, 'functions' | 'setup' | 'clients'>;

function runsOn(dev: string, prog: ProgId): Action {
  return { do: 'dev_change_xdp_fd', dev, prog };
}

const SCENARIOS: readonly OnDevices[] = [
  {
    name: 'replace program eth0, remove program eth1',
    functions: devices(2),
    setup: [xdpLoad(1), xdpLoad(2), xdpLoad(3), runsOn('eth0', 1), runsOn('eth1', 3)],
    clients: [[runsOn('eth0', 2), { do: 'close(prog)', prog: 1 }], [runsOn('eth1', 0)]],
  },
  {
    name: 'replace program eth0, probe bpf_dispatcher_xdp_func',
    functions: devices(1),
    setup: [xdpLoad(1), xdpLoad(2), runsOn('eth0', 1)],
    clients: [
      [runsOn('eth0', 2)],
      [{ do: 'register_kprobe', kprobe: 'kprobe#1', ip: DISPATCHER_FUNC, post: false }],
    ],
  },
];

/** The scenarios of a kernel, each with one packet of the first device. */
export function onDevices(profile: string, cpus: number): FamilyScenario[] {
  return SCENARIOS.map(({ name, ...scenario }) => ({
    name,
    scenario: { profile, cpus, ...scenario, callers: [callerOf('eth0')] },
  }));
}
