import type { IncomingMessage, ServerResponse } from 'node:http';

const BYTES_MAX = 8 * 1024;

/** Reads the fields of a submitted form; none when it is too long. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > BYTES_MAX) return new URLSearchParams();
  }
  return new URLSearchParams(text);
}

/** Sends one of the service's own pages: plain HTML without scripts. */
export function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .end(`<!doctype html><html lang="en"><title>${title} (simulated)</title><h1>${title}</h1>${body}</html>`);
}

/** Text that is safe between tags and in an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
