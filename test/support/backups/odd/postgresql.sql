create role owner_role login;
create role reader login;
create role chief superuser nologin;
create schema "Ext";
create extension hstore schema "Ext";
create extension citext;
create extension btree_gist;
create extension postgres_fdw;
create extension lo;

create schema "odd ""schema
name	tab";
create table "odd ""schema
name	tab"."tab	le 'q' \ %I $1 ü" ("select" int primary key, "from ""x" text, "a
b" text default E'x\ny');
insert into "odd ""schema
name	tab"."tab	le 'q' \ %I $1 ü" select g, 'r' || g from generate_series(1, 10) g;
create table nothing ();
insert into nothing default values;
insert into nothing default values;
create table above (a int, b text, check (a > 0));
create table below (c date) inherits (above);
alter table below add column d int;
insert into above values (1, 'p');
insert into below values (2, 'c', '2020-01-01', 4);

create table part (id int, at date, primary key (id, at)) partition by range (at);
create table part_a partition of part for values from ('2020-01-01') to ('2021-01-01');
create table part_b (at date not null, x int, id int not null);
alter table part_b drop column x;
alter table part attach partition part_b for values from ('2021-01-01') to ('2022-01-01');
create table part_rest partition of part default;
create table refers (x int, y date, foreign key (x, y) references part (id, at));
insert into part values (1, '2020-05-01'), (2, '2021-05-01'), (3, '2030-01-01');
insert into refers values (1, '2020-05-01');
create index on only part (at);

-- The hash of a value of an enumeration is another one in each server.
create type before_it as enum ('x');
create type letter as enum ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
create table hashed (l letter, n int) partition by hash (l);
create table hashed_0 partition of hashed for values with (modulus 3, remainder 0);
create table hashed_1 partition of hashed for values with (modulus 3, remainder 1);
create table hashed_2 partition of hashed for values with (modulus 3, remainder 2) partition by hash (l);
create table hashed_20 partition of hashed_2 for values with (modulus 1, remainder 0);
insert into hashed select l, 1 from unnest(enum_range(null::letter)) l;

create unlogged table unlogged (a int);
insert into unlogged values (1);
create table numbered (id int generated always as identity (start 100 increment 5), b serial,
  g int generated always as (b * 2) stored, t text);
insert into numbered (t) select 'x' from generate_series(1, 5);
create sequence backwards as smallint increment -3 minvalue -100 maxvalue 50 start 20 cycle cache 5;
select nextval('backwards');
select lo_put(lo_create(4711), 100000, 'behind a hole');
create table holds (f lo);
insert into holds values (4711);

create domain positive as int check (value > 0) default 3;
create type pair as (a int, b text, c letter[]);
create table kinds (a positive, b pair, c int4range[], d jsonb, e json, f money, g bytea, h inet, i varbit, j tsvector,
  k interval, l timetz, m timestamptz, n numeric, o real, p float8, q "char", r oid, s regclass, t regproc, u regrole, v citext,
  w "Ext".hstore, x text[][], y datemultirange, z polygon);
insert into kinds values
  (1, row(1, E'a"b\\c,)(\n', '{a,NULL}'), array[int4range(1, 5), null, 'empty'], '{"a": 1e400, "b": "\u00e9\n"}',
   '{"a" :  1,"a":2}', 1234.56, '\x00ff', '::1/64', '1', 'a:1A b:2', '-1 year 2 mons -3 days 04:05:06.789', '24:00:00+14:59',
   'infinity', 'NaN', '-0', '5e-324', 'x', 4294967295, 'part', 'lo_create', 'reader', 'CiTeXt', 'a=>NULL, "b c"=>"d\"e"',
   '{{a,NULL},{"","null"}}', '{[2020-01-01,2021-01-01),[2022-01-01,)}', '((0,0),(1,1),(-0,1))');
insert into kinds (m, n, o, p) values ('-infinity', '-Infinity', '1e-45', '-Infinity'), ('4713-01-01 BC', 1e-1000, 'NaN', 'NaN');

create table ranges (r int4range, exclude using gist (r with &&));
insert into ranges values ('[1,2)'), ('[5,6)');
create table unchecked (a int);
insert into unchecked values (-1);
alter table unchecked add constraint positive_a check (a > 0) not valid;
create table circle (id int primary key, up int references circle deferrable initially deferred);
insert into circle values (1, 2), (2, 1);
create materialized view counted as select count(*) as n from numbered;
create materialized view empty_one as select 1 as x with no data;
create materialized view a_of_counted as select n * 2 as m from counted;
create rule instead as on insert to circle where new.id < 0 do instead nothing;
create statistics both_columns (dependencies, mcv) on a, b from above;
create collation german (provider = icu, locale = 'de-u-co-phonebk', deterministic = false);
create table collated (t text collate german unique);
insert into collated values ('Ä');
create table dropped (a int, b int, c int);
alter table dropped drop column b;
insert into dropped values (1, 3);
alter table dropped add column e int default 7;
comment on column dropped.a is E'two\nlines ''q''';
set check_function_bodies = off;
create function broken() returns int language sql as $$ select * from not_there $$;
create function whole(x int) returns bigint language sql begin atomic select count(*) from numbered where id > x; end;
create procedure configured(inout a int) language plpgsql set search_path = 'Ext', public as $$ begin commit; end $$;
create server away foreign data wrapper postgres_fdw options (host 'nowhere');
create user mapping for reader server away options (user 'x');
create foreign table far (a int, b text) server away;

alter table unchecked enable row level security;
alter table unchecked force row level security;
create policy for_readers on unchecked to reader using (a > 0);
create policy nobody on unchecked as restrictive for insert with check (false);
create schema app authorization owner_role;
grant usage on schema app to reader;
create table app.owned (a int, b int);
alter table app.owned owner to owner_role;
grant select (a), insert on app.owned to reader with grant option;
create function app.on_change() returns event_trigger language plpgsql as 'begin end';
create event trigger changed on ddl_command_end execute function app.on_change();
alter event trigger changed owner to chief;
create publication everything for all tables;
alter publication everything owner to chief;
alter default privileges for role owner_role in schema app grant select on tables to reader;
revoke all on schema public from public;
alter large object 4711 owner to owner_role;

alter database shop set search_path = app, public;
alter database shop set datestyle = 'German';
alter database shop set app.secret = 'never in a record';
alter role owner_role in database shop set work_mem = '7MB';
