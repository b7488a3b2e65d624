import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { instruments } from '#lib/observability/instruments.ts';
import type { logEvent } from '#lib/observability/log.ts';
import { type RequestFacts, runInRequest } from '#lib/observability/request-context.ts';
import { messageOf } from '../core/strings.ts';

export interface WebServer {
  port: number;
  /**
   * Finishes the requests in progress, answering 503 on /readyz meanwhile, then stops listening and finishes what came in between.
   * Resolves once every connection is closed, or after the limit.
   */
  stop(): Promise<void>;
}

export interface WebServerOptions {
  host: string;
  port: number;
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;
  findRoute: (pathname: string) => RoutePattern;
  log: (event: Parameters<typeof logEvent>[1], fields: Parameters<typeof logEvent>[2]) => void;
  stopLimit_ms?: number;
}

/** Below the supervisor's patience, which kills what is still running. */
const STOP_LIMIT_MS = 25_000;
const PROBES = ['/healthz', '/readyz', '/metrics'];
/** The others share one label: a client could invent a series of metrics with each request. */
const METHODS = ['GET', 'HEAD', 'POST'];
const REQUEST_ID = /^[\w-]{8,64}$/;

interface OpenRequest extends RequestFacts {
  pathname: string;
  started_at: number;
}

/** Serves requests, each with an id, one line in the log and its figures in the histograms. */
export async function startWebServer({
  host,
  port,
  handle,
  findRoute,
  log,
  stopLimit_ms = STOP_LIMIT_MS,
}: WebServerOptions): Promise<WebServer> {
  const openRequests = new Map<OpenRequest, Promise<unknown>>();
  let isStopping = false;

  const server = http.createServer((request, response) => {
    const facts = begin(request, response);
    response.on('error', ({ message }) => log('error', { requestId: facts.requestId, message }));
    // `once` of node:events rejects on an error, and the request would stay in progress for ever.
    const ended = new Promise<void>((resolve) => response.on('close', resolve)).then(() => {
      openRequests.delete(facts);
      record(facts, request, response);
    });
    if (!PROBES.includes(facts.pathname)) openRequests.set(facts, ended);
    if (isStopping) {
      response.setHeader('connection', 'close');
      if (facts.pathname === '/readyz') return refuseReady(response);
    }
    runInRequest(facts, () => handle(request, response)).catch((error: unknown) => {
      log('error', { requestId: facts.requestId, message: messageOf(error) });
      response.destroy();
    });
  });

  function begin(request: http.IncomingMessage, response: http.ServerResponse): OpenRequest {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    request.headers['x-request-id'] = requestId;
    response.setHeader('x-request-id', requestId);
    // The only header that scripts can read of a page they were loaded with: the error page shows the id.
    response.setHeader('server-timing', `request;desc="${requestId}"`);
    request.url = decodable(request.url ?? '/');
    const [pathname = '/'] = request.url.split('?');
    const { method = 'unknown', socket } = request;
    return { requestId, method, address: socket.remoteAddress, personId: null, statements: 0, pathname, started_at: performance.now() };
  }

  function record(facts: OpenRequest, request: http.IncomingMessage, response: http.ServerResponse): void {
    const { requestId, personId, statements, pathname, started_at } = facts;
    const method = METHODS.includes(facts.method) ? facts.method : 'other';
    if (pathname.startsWith('/_next/') && response.statusCode < 400) return;
    const seconds = (performance.now() - started_at) / 1_000;
    const { route, kind: found } = findRoute(pathname);
    const kind = found === 'page' && request.headers['next-action'] !== undefined ? 'action' : found;
    // A client that left before an answer got none: 200 is only what a response starts with.
    const status = response.headersSent ? response.statusCode : null;
    instruments().requestSeconds.observe({ kind, route, method, status: String(status ?? 'none') }, seconds);
    instruments().requestStatements.observe({ kind, route }, statements);
    if (PROBES.includes(pathname) && response.statusCode < 400) return;
    const cut = response.writableFinished ? {} : { isCut: true };
    const ms = Math.round(seconds * 10_000) / 10;
    log('request', { method, route, kind, status, ms, statements, requestId, personId, ...cut });
  }

  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();

  async function drain(): Promise<void> {
    await Promise.all(openRequests.values());
    const closed = once(server, 'close');
    server.close();
    await closed;
  }

  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stop: async () => {
      isStopping = true;
      const isDrained = await Promise.race([drain().then(() => true), sleep(stopLimit_ms, false, { ref: false })]);
      if (!isDrained) log('stop', { message: `${openRequests.size} requests were still in progress after ${stopLimit_ms / 1_000} s` });
      server.closeAllConnections();
    },
  };
}

/** An address that can be decoded: in a path that can't, percent signs stand for themselves. Next would answer it with a bare 500. */
function decodable(url: string): string {
  const [, pathname = '/', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
  try {
    decodeURIComponent(pathname);
    return url;
  } catch {
    return `${pathname.replaceAll('%', '%25')}${query}`;
  }
}

function refuseReady(response: http.ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ status: 'not ready', reason: 'stopping' }));
}

/** The page or route that a path belongs to, without the ids in it. */
export interface RoutePattern {
  route: string;
  kind: 'page' | 'route' | 'other';
}

const entry = z.object({ page: z.string(), regex: z.string() });
const manifestSchema = z.object({ staticRoutes: z.array(entry), dynamicRoutes: z.array(entry) });
const OTHER: RoutePattern = { route: 'other', kind: 'other' };

/** Reads from a build which paths belong to which route; `folder` is the build's. */
export function readRoutePatterns(folder: string): (pathname: string) => RoutePattern {
  const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'));
  const { staticRoutes, dynamicRoutes } = manifestSchema.parse(read('routes-manifest.json'));
  const files = z.record(z.string(), z.string()).parse(read('app-path-routes-manifest.json'));
  const kinds = new Map(Object.entries(files).map(([file, page]) => [page, file.endsWith('/route') ? 'route' : 'page'] as const));
  const patterns = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => ({ page, regex: new RegExp(regex) }));
  return (pathname) => {
    const found = patterns.find(({ regex }) => regex.test(pathname));
    return found === undefined ? OTHER : { route: found.page, kind: kinds.get(found.page) ?? 'other' };
  };
}
