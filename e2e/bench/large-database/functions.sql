-- Ids in the bench database by their number, so that stored rows and searches agree.
create schema bench;

create function bench.subscription(s bigint) returns text language sql immutable
return 'SUB_' || (1767225600 + s) || '_' || upper(substr(md5('s' || s), 1, 8));

create function bench.recipient(s bigint) returns bigint language sql immutable
return 500000 + (hashint8(s) & 2147483647) % 2000;

create function bench.player(s bigint) returns bigint language sql immutable
return 10000000 + s * 4 / 5;

create function bench.period(g bigint) returns bigint language sql immutable
return 2000000000 + g;

create function bench.transaction(g bigint) returns text language sql immutable
return 'TXN_' || upper(substr(md5('t' || g), 1, 20));

create function bench.mint_order(g bigint) returns text language sql immutable
return case when g % 5 > 0 then 'MINT_' || upper(substr(md5('o' || g), 1, 20)) end;

create function bench.request(s bigint) returns text language sql immutable
return 'req-' || md5('r' || s);

create function bench.email(p bigint) returns text language sql immutable
return 'Player.' || p || '@players.example';

create function bench.digest(n bigint) returns bytea language sql immutable
return sha256(int8send(n));
