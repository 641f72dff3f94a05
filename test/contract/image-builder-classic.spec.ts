import { openClassicBuilderBed } from '../support/docker/classic-builder-bed.js';
import { itRarely } from '../support/rare.js';
import { describeWithEngine } from '../support/docker/engine.js';
import { eventually } from '../support/docker/eventually.js';
import { engineRequest } from '../support/docker/engine-http.js';
import { BUILD_LIMITS } from '../../libs/services/src/application/building/building-settings.js';
import { itIsAnImageBuilder, LIMITS, type ImageBuilderBed } from './image-builder.contract.js';

describeWithEngine("the engine's classic builder", () => {
  itIsAnImageBuilder(openClassicBuilderBed);

  it('makes its network again when somebody has removed unused networks', async () => {
    const bed = await openClassicBuilderBed();
    const build = async (step: string) => {
      const dockerfile = { path: 'Dockerfile', text: `FROM ${bed.base}\nRUN ${step}\n`, images: [] };
      const repository = await bed.repository({ 'README.md': 'x' });
      const empty = { folder: '', buildArgs: new Map(), secrets: new Map() };
      const request = { repository, ...empty, dockerfile, reference: bed.reference() };
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

  describe('with the limits of an installation', () => {
    let bed: ImageBuilderBed;

    beforeAll(async () => {
      bed = await openClassicBuilderBed();
    });
    afterAll(() => bed.close());

    itRarely.each([
      ['starts processes without end', 'while :; do sleep 60 & done', /needed more than the 2048 processes/],
      ['prints a gigabyte', 'yes all work and no play | head -c 1000000000', /produced more than 64 MB of output/],
      [
        'eats more than two gigabytes of memory',
        'dd if=/dev/zero of=/dev/null bs=3000M count=1',
        /needed more memory than the 2048 MB/,
      ],
    ])(
      'ends a build that %s',
      async (name, command, words) => {
        const text = `FROM ${bed.base}\nRUN : attack ${name.replaceAll(' ', '-')} ${process.pid}; ${command}; exit $?\n`;
        const request = {
          repository: await bed.repository({ 'README.md': 'x' }),
          folder: '',
          reference: bed.reference(),
          dockerfile: { path: 'Dockerfile', text, images: [] },
          limits: BUILD_LIMITS,
          buildArgs: new Map(),
          secrets: new Map(),
        };
        const work = bed.builder.build(request, () => undefined, { guard: () => Promise.resolve() });
        await expect(work).rejects.toThrow(words);
        await eventually(
          () => bed.containers(),
          (count) => count === 0,
        );
      },
      60_000,
    );
  });
});
