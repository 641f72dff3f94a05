create table `select` (id int primary key auto_increment, `from` varchar(20), `a.b ``c` int) comment 'it''s; a "comment"';
insert into `select` (`from`, `a.b ``c`) values ('x', 1), ('', null);
set sql_mode = 'NO_AUTO_VALUE_ON_ZERO';
insert into `select` values (0, 'zero', 0);
set sql_mode = default;
create table `odd name.with	tab` (id int) engine=Aria;
insert into `odd name.with	tab` values (1);
create table Upper (a int);
create table upper (a int, b int);
insert into upper values (1, 2);
create table old_engine (a int primary key auto_increment, b text, fulltext (b)) engine=MyISAM;
insert into old_engine (b) values ('words to find');

create table hidden (a int, b int invisible default 5, c int as (a * 2) virtual, d int as (a + 1) stored, check (a > 0));
insert into hidden (a, b) values (1, 9), (2, 8);
create table kinds (id int primary key, b1 bit(1), b64 bit(64), u uuid, i6 inet6, j json, d date, t time(6), dt datetime(6),
  ts timestamp(3) null, y year, f float, db double, dc decimal(65, 30), e enum('a', 'ü', ''), s set('x', 'y'), bin binary(4),
  vb varbinary(20), l1 text character set latin1, u2 varchar(10) character set ucs2, tb tinyblob, ch char(3));
set sql_mode = '', time_zone = '+00:00';
insert into kinds values
  (1, 1, 18446744073709551615, '00112233-4455-6677-8899-aabbccddeeff', '::ffff:1.2.3.4', '{"a": [1, null]}', '0000-00-00',
   '-838:59:59.000001', '9999-12-31 23:59:59.999999', '2026-10-25 00:30:00.5', 0, 1.17549e-38, 5e-324,
   12345678901234567890123456789012345.123456789012345678901234567890, 'ü', 'x,y', 'a\0', 'it''s \\ \r\n\0\Z',
   convert(x'80ff00e9' using latin1), 'é', x'00', 'a '),
  (2, 0, 0, null, null, null, '2026-02-00', null, '0000-00-00 00:00:00', '2026-10-25 01:30:00', 2155, -0.0, 1e308, 0, '', '', '',
   '', '', '', '', '');
set sql_mode = default;
create table blobs (id int primary key, large longblob) row_format=compressed;
insert into blobs values (1, repeat('x', 12000000));
create table packed (t text compressed);
insert into packed values (repeat('ü', 10000));

create table hen (id int primary key, egg int);
create table egg (id int primary key, hen int, foreign key (hen) references hen (id));
insert into hen values (1, 1);
insert into egg values (1, 1);
alter table hen add foreign key (egg) references egg (id);
create table tree (id int primary key, above int, foreign key (above) references tree (id) on delete cascade);
insert into tree values (5, null), (1, 5);

create table parts (id int, at date) partition by range (year(at))
  (partition p0 values less than (2020), partition p1 values less than maxvalue);
insert into parts values (1, '2019-01-01'), (2, '2026-01-01'), (3, null);

create table kept (id int primary key, n int) with system versioning;
insert into kept values (1, 1), (2, 1);
update kept set n = 2;
delete from kept where id = 1;
create table kept_by (id int, since timestamp(6) generated always as row start, till timestamp(6) generated always as row end,
  period for system_time (since, till)) with system versioning;
insert into kept_by (id) values (1);
delete from kept_by;
create table booked (id int, a date, b date, period for booking (a, b), unique (id, booking without overlaps));
insert into booked values (1, '2026-01-01', '2026-01-05'), (1, '2026-01-05', '2026-01-07');

create sequence numbers start 100 increment 10;
create sequence Down start with -5 minvalue -100 maxvalue 7 increment -2 cycle nocache;
create table a_numbered (id int primary key default nextval(numbers), n int);
insert into a_numbered (n) values (1), (2), (3);

create function twice(n int) returns int deterministic return n * 2;
create view a_view as select id, twice(id) as n from tree;
create algorithm=merge sql security invoker view b_view as select n from a_view where n > 0 with check option;
create view aa_on_b as select * from b_view;
create table gone (id int);
create view broken as select * from gone;
create view broken_too as select * from broken;
drop table gone;

create trigger first_one before insert on tree for each row set new.id = new.id + 1;
create trigger a_second before insert on tree for each row follows first_one set new.id = new.id * 10;
set sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT';
delimiter //
create procedure "odd ""proc`"(inout "n x" text)
begin
  -- a comment; with 'quotes
  set "n x" = "n x" || 'é';
end//
delimiter ;
set sql_mode = default;
create event passed on schedule at current_timestamp + interval 1 second do delete from tree;
create event ended on schedule every 1 day ends current_timestamp + interval 1 second do delete from tree;
create event lasting on schedule every 1 day starts '2020-01-01 00:00:00' do delete from tree where id < 0;
