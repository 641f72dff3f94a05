import {
  planGroup,
  waitingName,
  planRetirement,
  type DesiredGroup,
  type GroupStep,
  type StandingContainer,
} from './group-plan.js';
import { aMember, aTopology, NEW, OLD, SERVICE_ID, standing } from '../../testing/a-group.js';

const desired = (given: Partial<DesiredGroup> = {}): DesiredGroup => ({
  serviceId: SERVICE_ID,
  deploymentId: OLD,
  topology: aTopology('db', 'web'),
  state: 'running',
  repeatOneShots: false,
  ...given,
});

const told = (steps: readonly GroupStep[]) => steps.map((step) => `${step.do} ${step.container.id}`);

/** What the engine would show after the steps. */
function after(actual: readonly StandingContainer[], steps: readonly GroupStep[]): StandingContainer[] {
  return steps.reduce<StandingContainer[]>(
    (standingNow, step) => {
      const { id } = step.container;
      if (step.do === 'remove') return standingNow.filter((container) => container.id !== id);
      const change = step.do === 'rename' ? { name: step.name } : { isUp: step.do === 'start' };
      return standingNow.map((container) => (container.id === id ? { ...container, ...change } : container));
    },
    [...actual],
  );
}

describe('a plan for the containers of a service', () => {
  it('is empty when all stands as it should', () => {
    expect(planGroup(desired(), [standing(OLD, 'db'), standing(OLD, 'web')])).toMatchObject({ steps: [], missing: [] });
  });

  it('starts what is down in start order', () => {
    const down = { isUp: false };
    const plan = planGroup(desired(), [standing(OLD, 'web', down), standing(OLD, 'db', down)]);
    expect(told(plan.steps)).toEqual(['start 01d-db', 'start 01d-web']);
  });

  it('stops what is up in reverse, each with its grace', () => {
    const topology = aTopology(aMember('db', { stopGraceMs: 60_000 }), 'web');
    const plan = planGroup(desired({ state: 'stopped', topology }), [standing(OLD, 'db'), standing(OLD, 'web')]);
    expect(plan.steps).toMatchObject([
      { do: 'stop', container: { id: '01d-web' }, graceMs: 10_000 },
      { do: 'stop', container: { id: '01d-db' }, graceMs: 60_000 },
    ]);
  });

  it.each([
    ['runs', { isUp: true, name: 'x' }, { isUp: false }],
    ['has the name, where none runs', { isUp: false }, { isUp: false, name: 'x' }],
  ])('keeps of two for one role the one that %s, in whatever order they are listed', (_, served, late) => {
    const [one, other] = [
      { ...standing(OLD, 'web', served), id: 'serves' },
      { ...standing(OLD, 'web', late), id: 'late' },
    ];
    for (const actual of [
      [one, other],
      [other, one],
    ]) {
      const { steps, ids, missing } = planGroup(desired({ topology: aTopology('web') }), actual);
      expect(told(steps)).toContain('remove late');
      expect(told(steps)).not.toContain('remove serves');
      expect([[...ids], missing]).toEqual([[['web', 'serves']], []]);
    }
  });

  it('removes the containers of other deployments before it takes their names', () => {
    const waiting = { name: `${SERVICE_ID}_web_01d00000`, isUp: false };
    const plan = planGroup(desired({ topology: aTopology('web') }), [
      standing(NEW, 'web'),
      standing(OLD, 'web', waiting),
    ]);
    expect(told(plan.steps)).toEqual(['remove 0e0-web', 'rename 01d-web', 'start 01d-web']);
    expect(plan.steps[1]).toMatchObject({ name: `${SERVICE_ID}_web` });
  });

  it('tells the waiting containers of deployments of one moment apart', () => {
    const names = ['01a1ff63-1910-7dab-8694-c7556eace2d8', '01a1ff63-1910-7dab-8694-8a147818c7d7'].map((id) =>
      waitingName(SERVICE_ID, 'web', id),
    );
    expect(names).toEqual([`${SERVICE_ID}_web_6eace2d8`, `${SERVICE_ID}_web_7818c7d7`]);
  });

  it('names what only a deployment can make', () => {
    expect(planGroup(desired(), [standing(OLD, 'web')]).missing).toEqual(['db']);
  });

  it('leaves alone what has done its work, unless all is to be done again', () => {
    const topology = aTopology(aMember('migrate', { oneShot: true }), 'web');
    const actual = [standing(OLD, 'migrate', { isUp: false }), standing(OLD, 'web')];
    expect(planGroup(desired({ topology }), actual).steps).toEqual([]);
    expect(told(planGroup(desired({ topology, repeatOneShots: true }), actual).steps)).toEqual(['start 01d-migrate']);
  });

  it('removes everything when nothing is to stand', () => {
    const plan = planGroup(desired({ deploymentId: null, topology: null }), [standing(OLD, 'a'), standing(NEW, 'b')]);
    expect(told(plan.steps)).toEqual(['remove 01d-a', 'remove 0e0-b']);
  });

  it('plans nothing more once it has been carried out, from any mixture of two deployments', () => {
    const pieces = [OLD, NEW].flatMap((deployment) =>
      ['db', 'web'].map((role) => (bits: number) => {
        if (bits === 0) return [];
        const name = bits === 1 ? `${SERVICE_ID}_${role}_x` : `${SERVICE_ID}_${role}`;
        return [standing(deployment, role, { isUp: bits === 2, name })];
      }),
    );
    for (let mixture = 0; mixture < 3 ** 4; mixture += 1) {
      const actual = pieces.flatMap((piece, index) => piece(Math.floor(mixture / 3 ** index) % 3));
      for (const state of ['running', 'stopped'] as const) {
        const first = planGroup(desired({ state }), actual);
        const second = planGroup(desired({ state }), after(actual, first.steps));
        expect([mixture, state, told(second.steps), second.missing]).toEqual([mixture, state, [], first.missing]);
      }
    }
  });
});

describe('a retirement', () => {
  it('stops and renames what served, last started first, and leaves the successor alone', () => {
    const actual = [standing(OLD, 'db'), standing(OLD, 'web'), standing(NEW, 'db', { name: 'other', isUp: false })];
    const steps = planRetirement(SERVICE_ID, NEW, aTopology('db', 'web'), actual);
    expect(told(steps)).toEqual(['stop 01d-web', 'rename 01d-web', 'stop 01d-db', 'rename 01d-db']);
    expect(planRetirement(SERVICE_ID, NEW, aTopology('db', 'web'), after(actual, steps))).toEqual([]);
  });

  it('needs no record of what served', () => {
    expect(told(planRetirement(SERVICE_ID, NEW, null, [standing(OLD, 'web')]))).toEqual([
      'stop 01d-web',
      'rename 01d-web',
    ]);
  });
});
