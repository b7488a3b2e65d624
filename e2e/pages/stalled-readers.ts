import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright/test';

const APP = path.resolve(import.meta.dirname, '../../app');

/** The routes that answer with a file, as `[game]/payouts/[runNo]/export/[format]`. */
export function listFileRoutes(): string[] {
  const routes = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'route.ts');
  return routes
    .filter((file) => /\b(sendFile|sendBytes|sendGzipCsv|sendPaymentFile)\b/.test(readFileSync(path.join(APP, file), 'utf8')))
    .map(path.dirname);
}

/** Requests a file as the person of a page and reads nothing of it. */
export async function stall(page: Page, address: string): Promise<IncomingMessage> {
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(new URL(address, page.url()), { headers: { cookie }, agent: false }, resolve).on('error', reject);
  return await promise;
}

/** How many bytes come until the end. Throws when the file is broken off. */
export async function readToEnd(answer: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) length += piece.length;
  return length;
}
