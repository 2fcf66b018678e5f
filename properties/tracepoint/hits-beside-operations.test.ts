import { describe, expect, test } from 'vitest';
import { askLaw } from '../../checker/interleavings/nearest-breach.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { PLANTED_TRACEPOINTS } from '../planted/interleavings/tracepoints.ts';

describe.each(PLANTED_TRACEPOINTS.map((planted) => [planted.name, planted] as const))(
  'the scenario of %s',
  (_, { law, scenario }) => {
    test.each(KERNELS)('holds without the bug in all states of %s', (profile) => {
      const { finding, complete, witness } = askLaw(law, { profile, ...scenario }, []);
      expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
      expect(witness).toBeGreaterThan(0);
    });
  },
);
