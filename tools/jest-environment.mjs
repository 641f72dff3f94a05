import { TestEnvironment } from 'jest-environment-node';
import { PATIENCE } from './lib/tests/patience.mjs';

/** Node, with longer time limits in a whole run. */
export default class PatientEnvironment extends TestEnvironment {
  /** Called by jest-circus. All tests and hooks are known when a run starts. */
  handleTestEvent({ name }, state) {
    if (name !== 'run_start') return;
    state.testTimeout *= PATIENCE;
    lengthen(state.rootDescribeBlock);
  }
}

function lengthen(block) {
  for (const limited of [...block.hooks, ...block.children]) if (limited.timeout) limited.timeout *= PATIENCE;
  for (const child of block.children) if (child.type === 'describeBlock') lengthen(child);
}
