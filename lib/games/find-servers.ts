import { findClusterProblem, findPlacementProblem, findServersOfGames, readCluster } from '#db/kit/cluster.ts';
import type { Db } from '#db/kit/open.ts';

/** A server of a cluster with the games whose rows it holds. */
interface ServersOfGames {
  server: string;
  games: readonly { slug: string; environment: string }[];
}

/** Where the rows of each game are. */
export function formatServers(servers: readonly ServersOfGames[]): string {
  if (servers.every(({ games }) => games.length === 0))
    return 'Citus is installed, and every table is on one server: run sharebook distribute.';
  return servers
    .map(({ server, games }) => `${server}: ${games.map(({ slug, environment }) => `${slug} (${environment})`).join(', ') || 'no game'}.`)
    .join(' ');
}

/** Finds on which servers of a cluster the rows of each game are, or what is wrong with the cluster; null: the database is on one server. */
export async function findServers(
  db: Db,
  games: readonly { gameId: number; slug: string; environment: string }[],
): Promise<{ isRight: boolean; message: string } | null> {
  const cluster = await readCluster(db);
  if (cluster === null) return null;
  const problem = findClusterProblem(cluster) ?? findPlacementProblem(cluster.tables);
  if (problem !== null) return { isRight: false, message: problem };
  const found = await findServersOfGames(
    db,
    games.map(({ gameId }) => gameId),
  );
  const servers = cluster.workers.map(
    (server): ServersOfGames => ({ server, games: games.filter(({ gameId }) => found.get(gameId) === server) }),
  );
  return { isRight: true, message: formatServers(servers) };
}
