import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '#db/kit/open.ts';
import type { Bench, Closeable } from '../goal.ts';

export interface PeerPages extends Closeable {
  origin: string;
}

/** The rows of a peer: its address and the statement behind it. */
export type PeerRows = Record<string, string>;

const PAGES = path.join(import.meta.dirname, '../pages');
const TYPES: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };

/**
 * Serves what tables are measured beside: the page of pooled rows, and AG Grid as a script that any page can load, with these rows as gzipped JSON.
 * Installs AG Grid outside the project the first time.
 */
export async function servePeers({ folder, say }: Bench, db: Db, rows: PeerRows): Promise<PeerPages> {
  const files = new Map<string, Buffer>();
  for (const name of ['pooled.html', 'pooled.js', 'table.css']) files.set(`/${name}`, readFileSync(path.join(PAGES, name)));
  // One file, as the chunk of a page would be.
  const agGrid = [installAgGrid(path.join(folder, 'pages'), say), path.join(PAGES, 'ag-grid.js')].map((file) => readFileSync(file));
  files.set('/ag-grid.js', Buffer.concat(agGrid.flatMap((part) => [part, Buffer.from('\n')])));
  for (const [address, statement] of Object.entries(rows))
    files.set(address, Buffer.from(JSON.stringify((await sql.raw(statement).execute(db)).rows)));
  const packed = new Map([...files].map(([address, bytes]) => [address, gzipSync(bytes)]));
  const server = http.createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://peer').pathname;
    const body = packed.get(address);
    if (!body) return void response.writeHead(404).end();
    const type = TYPES[path.extname(address).slice(1)] ?? 'text/plain';
    response
      .writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        'content-encoding': 'gzip',
        'content-length': body.length,
        // The frame is of another origin.
        'access-control-allow-origin': '*',
      })
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function installAgGrid(folder: string, say: Bench['say']): string {
  const bundle = path.join(folder, 'node_modules/ag-grid-community/dist/ag-grid-community.min.js');
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(PAGES, 'package.json'), path.join(folder, 'package.json'));
  const wanted = (JSON.parse(readFileSync(path.join(PAGES, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies;
  const installed = path.join(folder, 'node_modules/ag-grid-community/package.json');
  const has = existsSync(installed) ? (JSON.parse(readFileSync(installed, 'utf8')) as { version: string }).version : null;
  if (has !== wanted['ag-grid-community']) {
    say('Installing AG Grid for the bench …');
    const { status } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'], {
      cwd: folder,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error("AG Grid couldn't be installed; the bench of tables needs the npm registry once.");
  }
  return bundle;
}
