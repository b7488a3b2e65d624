import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Page } from 'playwright/test';

const APP = path.resolve(import.meta.dirname, '../../app');

/** The routes that answer with a file, as `[game]/payouts/[runNo]/export/[format]`. */
export function listFileRoutes(): string[] {
  const routes = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((file) => path.basename(file) === 'route.ts');
  return routes.filter((file) => /\b(sendFile|sendBytes|sendGzipCsv)\b/.test(readFileSync(path.join(APP, file), 'utf8'))).map(path.dirname);
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

/** Files of each route that answers with one: every list and every format. */
export const FILES: Record<string, string[]> = {
  'audit/export': ['/audit/export'],
  '[game]/lists/[list]/file': ['refunds', 'deliveries', 'payees'].map((list) => `/demo/lists/${list}/file`),
  '[game]/months/[month]/export/[sheet]': ['recipients', 'renewals', 'reversals'].flatMap((sheet) =>
    [sheet, `${sheet}?find=juno`, `${sheet}.xlsx`, `${sheet}.gz`].map((file) => `/demo/months/2026-09/export/${file}`),
  ),
  '[game]/payouts/[runNo]/journal/[layout]': ['/demo/payouts/2/journal/generic'],
  '[game]/payouts/[runNo]/export/[format]': ['/demo/payouts/2/export/csv', '/demo/payouts/2/export/xlsx'],
  '[game]/payouts/[runNo]/statements/[playerId]/[format]': ['pdf', 'csv'].map((format) => `/demo/payouts/2/statements/9019/${format}`),
  '[game]/payouts/[runNo]/statements/zip': ['/demo/payouts/2/statements/zip'],
  '[game]/payouts/[runNo]/pack': ['/demo/payouts/2/pack'],
};
