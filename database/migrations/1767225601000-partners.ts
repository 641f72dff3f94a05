import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Partners1767225601000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema partners;

      create table partners.partners (
        id         uuid        primary key,
        name       text        not null check (name <> ''),
        type       text        not null check (type in ('operator', 'distributor', 'reseller', 'hoster')),
        parent_id  uuid        references partners.partners (id),
        created_at timestamptz not null,
        check (parent_id <> id),
        check (type <> 'operator' or parent_id is null)
      );
      create index partners_parent on partners.partners (parent_id);

      -- Every (ancestor, descendant) pair, each partner with itself at depth 0: "is it in my subtree" is one look-up by
      -- primary key, whatever the size and depth of the tree.
      create table partners.subtrees (
        ancestor_id   uuid     not null references partners.partners (id),
        descendant_id uuid     not null references partners.partners (id),
        depth         smallint not null check (depth >= 0),
        primary key (ancestor_id, descendant_id)
      );
      create index subtrees_descendant on partners.subtrees (descendant_id, depth);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema partners cascade');
  }
}
