import type pg from 'pg';

/** A query as it was sent. */
export interface SentQuery {
  text: string;
  values: unknown[];
}

/** Records the queries of every client a pool will create. The returned function runs `work` and returns the queries sent meanwhile. */
export function recordQueries(pool: pg.Pool): (work: () => Promise<unknown>) => Promise<SentQuery[]> {
  let recording: SentQuery[] | null = null;
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recorded = (...args: unknown[]): unknown => {
      const [first, second] = args;
      if (typeof first === 'string') recording?.push({ text: first, values: Array.isArray(second) ? second : [] });
      return query(...args);
    };
    Object.assign(client, { query: recorded });
  });
  return async (work) => {
    const mine: SentQuery[] = [];
    recording = mine;
    try {
      await work();
    } finally {
      recording = null;
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

/** The tables a plan scans in full, and the indexes it uses. */
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
