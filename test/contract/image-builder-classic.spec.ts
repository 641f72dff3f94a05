import { openClassicBuilderBed } from '../support/docker/classic-builder-bed.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { engineRequest } from '../support/docker/engine-http.js';
import { itIsAnImageBuilder, LIMITS } from './image-builder.contract.js';

describeWithEngine("the engine's classic builder", () => {
  itIsAnImageBuilder(openClassicBuilderBed);

  it('makes its network again when somebody has removed unused networks', async () => {
    const bed = await openClassicBuilderBed();
    const build = async (step: string) => {
      const dockerfile = { path: 'Dockerfile', text: `FROM ${bed.base}\nRUN ${step}\n`, images: [] };
      const repository = await bed.repository({ 'README.md': 'x' });
      const request = { repository, folder: '', dockerfile, reference: bed.reference(), buildArgs: new Map() };
      return bed.builder.build({ ...request, limits: LIMITS }, () => undefined, { guard: () => Promise.resolve() });
    };
    try {
      await build('echo before');
      await engineRequest('DELETE', `/networks/panel-build-test-${process.pid}`);
      expect((await build('echo after')).id).toMatch(/^sha256:/);
    } finally {
      await bed.close();
    }
  });
});
