import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The TypeScript of a Postgres type as the driver hands it over: money, instants and bytes never become JavaScript numbers. */
const TYPES: Record<string, string> = {
  int: 'number',
  bigint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'int[]': 'number[]',
  uuid: 'string',
  boolean: 'boolean',
  timestamptz: 'string',
  date: 'string',
  usd: 'string',
  whole_cents: 'string',
  coins: 'string',
  digest: 'Buffer',
  bytea: 'Buffer',
  jsonb: 'unknown',
};

interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  isGenerated: boolean;
  hasDefault: boolean;
  comment: string;
}

/**
 * Writes `db/types.ts` out of the migrations, so that a column has the same words in SQL and in TypeScript.
 * Input: the texts of the migrations in order. A column without a comment is an error.
 */
export function describeTypes(migrations: string[]): string {
  const tables = new Map<string, Column[]>();
  for (const sql of migrations) {
    for (const [, name] of sql.matchAll(/^drop table (\w+);$/gm)) {
      if (!tables.delete(name ?? '')) throw new Error(`${name} is dropped and doesn't exist`);
    }
    for (const [, name, body] of sql.matchAll(/^create table (?:"?)(\w+)(?:"?) \(\n([\s\S]*?)\n\);/gm)) {
      tables.set(name ?? '', readColumns(name ?? '', body ?? ''));
    }
    for (const [, name, nullable, comment] of sql.matchAll(/^alter table (\w+) alter column (\w+) drop not null;(?: -- (.*))?$/gm)) {
      const column = tables.get(name ?? '')?.find((each) => each.name === nullable);
      if (!column) throw new Error(`${name}.${nullable} may be NULL and doesn't exist`);
      Object.assign(column, { isNullable: true, comment: comment ?? column.comment });
    }
    for (const [, name, line] of sql.matchAll(/^alter table (\w+) add column (.*)$/gm)) {
      tables.get(name ?? '')?.push(...readColumns(name ?? '', `  ${(line ?? '').replace(/;( -- )/, ',$1')}`));
    }
    for (const [, name, dropped] of sql.matchAll(/^alter table (\w+) drop column (\w+);$/gm)) {
      const columns = tables.get(name ?? '') ?? [];
      const index = columns.findIndex((each) => each.name === dropped);
      if (index < 0) throw new Error(`${name}.${dropped} is dropped and doesn't exist`);
      columns.splice(index, 1);
    }
    for (const [, from, to] of sql.matchAll(/^alter table (\w+) rename to (\w+);$/gm)) {
      const columns = tables.get(from ?? '');
      if (!columns) throw new Error(`${from} is renamed and doesn't exist`);
      tables.delete(from ?? '');
      tables.set(to ?? '', columns);
    }
    for (const [, name, from, to, comment] of sql.matchAll(/^alter table (\w+) rename column (\w+) to (\w+);(?: -- (.*))?$/gm)) {
      const column = tables.get(name ?? '')?.find((each) => each.name === from);
      if (!column) throw new Error(`${name}.${from} is renamed and doesn't exist`);
      Object.assign(column, { name: to, comment: comment ?? column.comment });
    }
    for (const [, name, changed, type] of sql.matchAll(/^alter table (\w+) alter column (\w+) type ([\w[\]]+)/gm)) {
      const column = tables.get(name ?? '')?.find((each) => each.name === changed);
      if (!column) throw new Error(`${name}.${changed} gets another type and doesn't exist`);
      Object.assign(column, { type });
    }
  }
  const views = '  current_snapshot: SnapshotTable;\n';
  const list = [...tables.keys()].map((name) => `  ${name}: ${title(name)};\n`).join('');
  return `${HEADER}\n${[...tables].map(([name, columns]) => describeTable(name, columns)).join('\n')}\nexport interface Database {\n${list}${views}}\n`;
}

const HEADER = `// Written by \`node e2e/support/db/write-types.ts\` from db/migrations; a test fails when the two differ.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
`;

function readColumns(table: string, body: string): Column[] {
  return body.split('\n').flatMap((line) => {
    const match = /^ {2}"?(\w+)"? (\w+(?:\[\])?)(?=[ ,]|$)(.*)$/.exec(line);
    if (!match || ['primary', 'unique', 'foreign', 'check', 'constraint'].includes(match[1] ?? '')) return [];
    const [, name = '', type = '', rest = ''] = match;
    const comment = /,? -- (.*)$/.exec(rest)?.[1];
    if (comment === undefined) throw new Error(`${table}.${name} has no comment`);
    const code = rest.slice(0, rest.indexOf(' -- '));
    const isNullable = !/not null|primary key|generated always/.test(code);
    return [{ name, type, isNullable, isGenerated: code.includes('generated always'), hasDefault: code.includes(' default '), comment }];
  });
}

function describeTable(name: string, columns: Column[]): string {
  const lines = columns.map((column) => `  /** ${column.comment} */\n  ${column.name}: ${describeColumn(column)};\n`);
  return `export interface ${title(name)} {\n${lines.join('')}}\n`;
}

function describeColumn({ type, isNullable, isGenerated, hasDefault }: Column): string {
  const base = TYPES[type];
  if (base === undefined) throw new Error(`no TypeScript for the Postgres type ${type}`);
  const given = isNullable ? 'string | null' : 'string';
  if (type === 'jsonb') return `ColumnType<unknown, ${given}${hasDefault ? ' | undefined' : ''}, ${given}>`;
  const written = isNullable ? `${base} | null` : base;
  if (isGenerated) return `GeneratedAlways<${written}>`;
  return hasDefault ? `Generated<${written}>` : written;
}

function title(name: string): string {
  return `${name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Table`;
}

if (process.argv[1] === import.meta.filename) {
  const folder = path.join(import.meta.dirname, '../../../db/migrations');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const texts = names.toSorted().map((name) => readFileSync(path.join(folder, name), 'utf8'));
  writeFileSync(path.join(import.meta.dirname, '../../../db/types.ts'), describeTypes(texts));
}
