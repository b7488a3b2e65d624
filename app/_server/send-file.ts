import 'server-only';

const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/** A CSV as a file of that name. Pieces go out as the reader takes them; a reader that goes away ends the query behind them. */
export function sendCsv({ fileName, text }: { fileName: string; text: AsyncIterable<string> }): Response {
  const headers = {
    ...HEADERS,
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': `attachment; filename="${fileName}"`,
  };
  return new Response(streamOf(text), { headers });
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

function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = text[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
