import { OwnLabels } from './container-labels.js';

const owner = { serviceId: 'svc', deploymentId: 'dep', role: 'web', specHash: 'abc' };

describe('our labels', () => {
  it('can be read back by the reconciler', () => {
    expect(new OwnLabels().forContainer(owner)).toEqual({
      'panel.service': 'svc',
      'panel.deployment': 'dep',
      'panel.role': 'web',
      'panel.spec-hash': 'abc',
    });
    expect(new OwnLabels().ownerOf(new OwnLabels().forContainer(owner))).toEqual(owner);
  });

  it.each(['panel.service', 'panel.deployment', 'panel.role', 'panel.spec-hash'])(
    'name no owner without %s',
    (name) => {
      const { [name]: _, ...others } = new OwnLabels().forContainer(owner);
      expect(new OwnLabels().ownerOf(others)).toBeNull();
    },
  );

  it('separate two panels on one engine, and a panel without a name from both', () => {
    const [alone, one, two] = [new OwnLabels(), new OwnLabels('one'), new OwnLabels('two')];
    const panels = [alone, one, two];
    const seen = panels.map((mine) => panels.map((theirs) => mine.serviceOf(theirs.forService('svc')) !== null));
    expect(seen).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  it('filter the engine for one service or for all', () => {
    expect(new OwnLabels().filter(null)).toEqual(['panel.service']);
    expect(new OwnLabels('one').filter('svc')).toEqual(['panel.service=svc', 'panel.instance=one']);
  });

  it.each([null, undefined, {}])('are none on %j', (labels) => {
    expect(new OwnLabels().ownerOf(labels)).toBeNull();
  });
});
