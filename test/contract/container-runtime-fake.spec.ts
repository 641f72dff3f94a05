import { openFakeBed } from '../support/docker/fakes/fake-runtime-bed.js';
import { itIsAContainerRuntime } from './container-runtime.contract.js';

describe('the fake container runtime', () => {
  itIsAContainerRuntime(openFakeBed);
});
