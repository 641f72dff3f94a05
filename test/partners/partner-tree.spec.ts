import { NestFactory } from '@nestjs/core';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { entities } from '#database/entities';
import { migrations } from '#database/migrations/index';
import { PartnersModule, Partners, PartnerSubtree, PartnerTree, type Partner } from '#libs/partners';
import type { Uuid } from '#kernel/crypto/uuid';
import { ClockModule } from '#platform/clock.module';
import { DatabaseModule } from '#platform/database/database.module';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the partner tree', () => {
  let database: TestDatabase;
  let app: INestApplicationContext;
  let partners: Partners;
  let tree: PartnerTree;

  beforeAll(async () => {
    database = await createTestDatabase();
    const options = { url: database.url, poolSize: 10, applicationName: 'test', entities, migrations };
    @Module({ imports: [ClockModule.forRoot(), DatabaseModule.forRoot(options), PartnersModule] })
    class TreeModule {}
    app = await NestFactory.createApplicationContext(TreeModule, { logger: false });
    partners = app.get(Partners, { strict: false });
    tree = app.get(PartnerTree, { strict: false });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  let counter = 0;
  const create = (parent: Partner | null, type = 'reseller') =>
    partners.create({ name: `P${++counter}`, type, parentId: parent?.id ?? null });
  const contains = (root: Partner, other: Partner) => tree.contains(PartnerSubtree.of(root.id), other.id);

  it('holds a partner in its own subtree and in that of every ancestor, and nowhere else', async () => {
    const root = await create(null, 'operator');
    const child = await create(root, 'distributor');
    const grandchild = await create(child);
    const sibling = await create(root);
    for (const [ancestor, inside] of [
      [root, [root, child, grandchild, sibling]],
      [child, [child, grandchild]],
      [grandchild, [grandchild]],
    ] as const) {
      for (const partner of [root, child, grandchild, sibling]) {
        expect(await contains(ancestor, partner)).toBe((inside as readonly Partner[]).includes(partner));
      }
    }
  });

  it('moves a whole branch', async () => {
    const [from, to] = [await create(null), await create(null)];
    const moved = await create(from);
    const below = await create(moved);
    await partners.move(moved.id, to.id);
    expect([await contains(from, moved), await contains(from, below)]).toEqual([false, false]);
    expect([await contains(to, moved), await contains(to, below), await contains(moved, below)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('refuses a cycle and a parent that does not exist', async () => {
    const parent = await create(null);
    const child = await create(parent);
    await expect(partners.move(parent.id, child.id)).rejects.toMatchObject({ slug: 'partner-cycle' });
    await expect(partners.move(parent.id, parent.id)).rejects.toMatchObject({ slug: 'partner-cycle' });
    const nobody = '00000000-0000-4000-8000-000000000000' as Uuid;
    await expect(partners.move(child.id, nobody)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(partners.create({ name: 'x', type: 'hoster', parentId: nobody })).rejects.toThrow('parent');
  });

  it.each([
    [{ name: '  ', type: 'hoster' }, 'name'],
    [{ name: 'a\0', type: 'hoster' }, 'name'],
    [{ name: 'x', type: 'king' }, 'type'],
  ])('refuses %j by the field', async (input, field) => {
    await expect(partners.create({ ...input, parentId: null })).rejects.toThrow(field);
  });

  it('takes a name of 200 characters, however many bytes each has', async () => {
    const name = '😀'.repeat(200);
    expect(await partners.create({ name, type: 'reseller', parentId: null })).toMatchObject({ name });
    await expect(partners.create({ name: `${name}x`, type: 'reseller', parentId: null })).rejects.toThrow('200');
  });

  it('stays one tree when branches are moved crosswise at once', async () => {
    const [a, b] = [await create(null), await create(null)];
    const results = await Promise.allSettled([partners.move(a.id, b.id), partners.move(b.id, a.id)]);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await contains(a, b)).not.toBe(await contains(b, a));
  });

  it('equals, after any moves, the subtrees computed from the parents', async () => {
    const made: Partner[] = [];
    for (let i = 0; i < 25; i++) made.push(await create(i === 0 ? null : made[Math.floor((i - 1) / 2)]!));
    for (const [from, to] of [
      [4, 1],
      [9, 0],
      [3, 12],
      [5, 24],
    ] as const) {
      await partners.move(made[from]!.id, made[to]!.id).catch(() => undefined);
    }
    const [{ differences }] = await app.get(DataSource).query<[{ differences: string }]>(`
      with recursive walk as (
        select id as ancestor_id, id as descendant_id, 0 as depth from partners.partners
        union all
        select w.ancestor_id, p.id, w.depth + 1 from walk w join partners.partners p on p.parent_id = w.descendant_id
      ), kept as (select ancestor_id, descendant_id, depth::int from partners.subtrees)
      select (select count(*) from (table walk except table kept) a) + (select count(*) from (table kept except table walk) b)
             as differences`);
    expect(differences).toBe('0');
  });

  it('asks by primary key, however large it is', async () => {
    const plan = await app.get(DataSource).transaction(async (manager) => {
      // A table of a few rows would be read as a whole; what counts is that the index serves the question.
      await manager.query('set local enable_seqscan = off');
      return manager.query<unknown>(
        `explain (format json) select 1 from partners.subtrees where ancestor_id = $1 and descendant_id = $2`,
        ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'],
      );
    });
    expect(JSON.stringify(plan)).toContain('subtrees_pkey');
  });
});
