import { openFakeBuilderBed } from '../support/docker/fakes/building/fake-builder-bed.js';
import { itIsAnImageBuilder } from './image-builder.contract.js';

describe('the fake image builder', () => {
  itIsAnImageBuilder(openFakeBuilderBed);
});
