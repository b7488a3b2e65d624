import '#lib/start/exit-with-parent.ts';
import fs from 'node:fs';
import path from 'node:path';
import { runVitest } from '../runner/checks.ts';
import { type NamedOutcome, summarize } from '../runner/outcome.ts';
import { withRunFolder } from '../runner/run-folder.ts';

// Run by `sharebook distribute --check`: two games go through everything on the cluster, then on one PostgreSQL server, and their files are compared.
const PATH = 'e2e/citus/whole-path.int.test.ts';
/** Digests cover instants and random salts, which differ from one database to another. */
const DIGEST = /\b[0-9a-f]{64}\b/g;
/** A PDF names the moment at which it was drawn. */
const DRAWN = '.pdf';

process.exitCode = await withRunFolder(checkCluster);

async function checkCluster(run: string): Promise<number> {
  const [onCluster, onOneServer] = [path.join(run, 'on-cluster'), path.join(run, 'on-one-server')];
  process.stdout.write('── on the cluster\n');
  const cluster = await runVitest(['int'], { files: [PATH] }, null, run, { CHECK_FOLDER: onCluster });
  if (cluster.failed > 0) return report([{ name: 'on the cluster', outcome: cluster }]);
  process.stdout.write('── on one server\n');
  const gamesBetween = fs.readFileSync(path.join(onCluster, 'games-between'), 'utf8');
  const settings = { CHECK_FOLDER: onOneServer, CHECK_GAMES_BETWEEN: gamesBetween, SHAREBOOK_CITUS_URL: undefined };
  const one = await runVitest(['int'], { files: [PATH] }, null, run, settings);
  const exitCode = report([
    { name: 'on the cluster', outcome: cluster },
    { name: 'on one server', outcome: one },
  ]);
  if (exitCode !== 0) return exitCode;
  const { same, differing } = compareFolders(onCluster, onOneServer);
  process.stdout.write(
    differing.length === 0
      ? `\n${same} files are byte for byte those of one server, apart from digests, which cover instants and salts of one database.\n`
      : `\nThese files differ from those of one server: ${differing.join(', ')}\n`,
  );
  return differing.length === 0 ? 0 : 1;
}

function report(outcomes: NamedOutcome[]): number {
  const { text, exitCode } = summarize(outcomes);
  process.stdout.write(text);
  return exitCode;
}

function compareFolders(one: string, other: string): { same: number; differing: string[] } {
  const names = [...new Set([one, other].flatMap((folder) => fs.readdirSync(folder)))].filter((name) => !name.endsWith(DRAWN));
  const differing = names.filter((name) => textOf(path.join(one, name)) !== textOf(path.join(other, name)));
  return { same: names.length - differing.length, differing };
}

function textOf(file: string): string | null {
  if (!fs.existsSync(file)) return null;
  return fs.readFileSync(file, 'latin1').replaceAll(DIGEST, '');
}
