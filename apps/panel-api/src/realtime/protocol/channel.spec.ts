import { eventTypesOf, parseChannel, permissionOf } from './channel.js';
import { MessageBudget } from './message-budget.js';

const ID = '018f0000-0000-7000-8000-00000000000a';

describe('the name of a channel', () => {
  it.each([
    ['services', 'services', null],
    [`service:${ID}`, 'service', ID],
    [`service:${ID.toUpperCase()}:logs`, 'logs', ID],
    [`deployment:${ID}`, 'deployment', ID],
    [`analysis:${ID}`, 'analysis', ID],
  ])('%s is understood', (name, kind, id) => {
    expect(parseChannel(name)).toEqual({ kind, id, name: name.toLowerCase() });
  });

  it.each([
    ...['', 'service', 'services:', `services:${ID}`, `service:${ID}:`, `service:${ID}:log`, `service:${ID}:logs:x`],
    ...[`deployment:${ID}:logs`, `analysis:${ID}:logs`, 'service:__proto__', `Service:${ID}`, ` service:${ID}`],
  ])('%s means nothing', (name) => {
    expect(parseChannel(name)).toBeNull();
  });

  it('says which events it carries, each with its permission', () => {
    expect(eventTypesOf('services').every((type) => type.startsWith('service.'))).toBe(true);
    expect(eventTypesOf('deployment')).toEqual(['deployment.status', 'deployment.step', 'deployment.log']);
    expect(eventTypesOf('service')).toHaveLength(6);
    expect([permissionOf('service.health'), permissionOf('deployment.step')]).toEqual([
      'services:read',
      'deployments:read',
    ]);
  });
});

describe('the budget of messages', () => {
  it('lets three seconds through at once, and its rate from then on', () => {
    const budget = new MessageBudget(20);
    // An integer, because of a fraction half a second is sometimes a little less.
    const start = Math.ceil(performance.now()) + 1_000;
    const taken = (count: number, at: number) =>
      Array.from({ length: count }, () => budget.take(at)).filter(Boolean).length;
    expect([taken(100, start), taken(100, start + 500), taken(100, start + 100_000)]).toEqual([60, 10, 60]);
  });
});
