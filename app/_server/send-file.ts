import 'server-only';

const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/** A CSV as a file of that name. Pieces go out as the reader takes them; a reader that goes away ends the query behind them. */
export function sendCsv(fileName: string, pieces: AsyncIterable<string | Uint8Array>): Response {
  const headers = {
    ...HEADERS,
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  };
  return new Response(streamOf(pieces), { headers });
}

/**
 * A rendered CSV as a gzip file, and 304 to a reader that has it. Not as a content encoding: the gzip file is what is sent, so that no
 * proxy unpacks or packs it again.
 */
export function sendGzipCsv(
  request: Request,
  { fileName, rendered }: { fileName: string; rendered: { sha256: string; members: () => AsyncIterable<Buffer> } },
): Response {
  const headers = {
    ...HEADERS,
    'Cache-Control': 'private, no-cache, no-transform',
    ETag: `"${rendered.sha256}"`,
    'Content-Type': 'application/gzip',
    'Content-Disposition': `attachment; filename="${fileName}.gz"`,
  };
  if (request.headers.get('if-none-match') === headers.ETag) return new Response(null, { status: 304, headers });
  return new Response(streamOf(rendered.members()), { headers });
}

/** Stored gzip JSON for a table, and 304 to a reader that has it. */
export function sendTableAnswer(request: Request, { sha256, body }: { sha256: Buffer; body: Buffer }): Response {
  const headers = {
    ...HEADERS,
    'Cache-Control': 'private, no-cache, no-transform',
    ETag: `"${sha256.toString('hex')}"`,
    'Content-Type': 'application/gzip',
  };
  if (request.headers.get('if-none-match') === headers.ETag) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(body), { headers });
}

/** A JSON object as a file of that name. */
export function sendJson(fileName: string, value: unknown): Response {
  return Response.json(value, { headers: { ...HEADERS, 'Content-Disposition': `attachment; filename="${fileName}"` } });
}

/** Why there is no file, in a sentence. */
export function refuseFile(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** The answer to a role without `files.export`. */
export const NO_FILES = 'Your role can’t export files. An admin can change your role in Settings.';

function streamOf(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await reader.return?.();
    },
  });
}
