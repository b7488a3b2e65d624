import type pg from 'pg';
import type { GivenQuery } from './record-queries.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/**
 * The tables a plan scans in full, the indexes it walks without a condition but the game, and every index it uses. A COPY is explained by
 * the query it carries.
 */
export async function readPlan(
  client: Pick<pg.ClientBase, 'query'>,
  { text, values }: GivenQuery,
): Promise<{ scans: string[]; walks: string[]; indexes: string[] }> {
  const query = /^\s*copy\s*\((.*)\)\s*to\s+stdout/is.exec(text)?.[1] ?? text;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${query}`, values);
  const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  return {
    scans: unique(nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : []))),
    walks: unique(nodes.flatMap((node) => (isWalk(node) ? [node['Index Name'] ?? '?'] : []))),
    indexes: unique(nodes.flatMap((node) => node['Index Name'] ?? [])),
  };
}

/** Whether a statement has a plan: it reads or changes rows, and is no COPY of rows from the client. */
export function hasPlan({ text }: Pick<GivenQuery, 'text'>): boolean {
  return /^\s*(--[^\n]*\n\s*)*(select|with|insert|update|delete|values)\b/i.test(text) || /^\s*copy\s*\(/i.test(text);
}

function isWalk(node: PlanNode): boolean {
  return /^Index (Only )?Scan/.test(node['Node Type']) && /^(\(+game_id = [^ ]+\)+)?$/.test(node['Index Cond'] ?? '');
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function unique(names: string[]): string[] {
  return [...new Set(names)].toSorted();
}
