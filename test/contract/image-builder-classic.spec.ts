import { openClassicBuilderBed } from '../support/docker/classic-builder-bed.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { itIsAnImageBuilder } from './image-builder.contract.js';

describeWithEngine("the engine's classic builder", () => {
  itIsAnImageBuilder(openClassicBuilderBed);
});
