import fs from 'node:fs';
import path from 'node:path';
import { PLACEMENTS } from '#db/distribution.ts';

/** What the rules of statements have to know about the database. */
export interface Catalog {
  /** Tables whose rows lie with their game, and the views over them. */
  distributed: ReadonlySet<string>;
  /** The product's own functions that PostgreSQL takes as volatile. */
  volatile: ReadonlySet<string>;
  /** Distributed tables whose IDs are drawn from a sequence. */
  numbered: ReadonlySet<string>;
  /** Tables of which every server has a copy. */
  copied: ReadonlySet<string>;
  /** Tables of the coordinator alone. */
  local: ReadonlySet<string>;
}

const SCHEMA = path.resolve(import.meta.dirname, '../../db/schema.sql');

/** Reads the tables from `db/distribution.ts`, and views and functions from `db/schema.sql`. Every view is one over distributed tables. */
export function readCatalog(): Catalog {
  const schema = fs.readFileSync(SCHEMA, 'utf8');
  const placedAs = (wanted: string): string[] => Object.entries(PLACEMENTS).flatMap(([table, { is }]) => (is === wanted ? [table] : []));
  const tables = placedAs('distributed');
  const views = [...schema.matchAll(/^create view (\w+) as$/gm)].map(([, name = '']) => name);
  const heads = schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)\(.*\n((?: .*\n)*)AS /gm);
  const volatile = [...heads].flatMap(([, name = '', head = '']) => (/\b(STABLE|IMMUTABLE)\b/.test(head) ? [] : [name]));
  const numbered = [...schema.matchAll(/^create table (\w+) \(\n([^;]*)\);$/gm)].flatMap(([, table = '', columns = '']) =>
    /generated \w+( \w+)? as identity/.test(columns) && tables.includes(table) ? [table] : [],
  );
  return {
    distributed: new Set([...tables, ...views]),
    volatile: new Set(volatile),
    numbered: new Set(numbered),
    copied: new Set(placedAs('reference')),
    local: new Set(placedAs('local')),
  };
}
