import type pg from 'pg';

/** A query as it was sent. */
export interface SentQuery {
  text: string;
  values: unknown[];
}

/** Listens to every client a pool will make; what is sent while `work` runs is handed back beside nothing else. */
export function recordQueries(pool: pg.Pool): (work: () => Promise<unknown>) => Promise<SentQuery[]> {
  let heard: SentQuery[] | null = null;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const listening = (...args: unknown[]): unknown => {
      const [first, second] = args;
      if (typeof first === 'string') heard?.push({ text: first, values: Array.isArray(second) ? second : [] });
      return query(...args);
    };
    Object.assign(client, { query: listening });
  });
  return async (work) => {
    const mine: SentQuery[] = [];
    heard = mine;
    try {
      await work();
    } finally {
      heard = null;
    }
    return mine;
  };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** The tables a plan reads from end to end, and the indexes it uses. */
export async function readPlan(pool: pg.Pool, { text, values }: SentQuery): Promise<{ scans: string[]; indexes: string[] }> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${text}`, values);
  const nodes = rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan));
  return {
    scans: unique(nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : []))),
    indexes: unique(nodes.flatMap((node) => node['Index Name'] ?? [])),
  };
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function unique(names: string[]): string[] {
  return [...new Set(names)].toSorted();
}
