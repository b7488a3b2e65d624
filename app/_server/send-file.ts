import { isPoolBusy } from '#db/kit/errors.ts';
import 'server-only';

import { JOURNAL_REFUSALS } from '#lib/accounting/text.ts';
import { NO_FILE } from '#lib/balances/text.ts';
import { VOIDED_STATEMENTS } from '#lib/payouts/text.ts';
import { DOWNLOAD_MS, withoutPageConnections } from './server-context.ts';
import type { Person } from './session.ts';

const HEADERS = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

const TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  pdf: 'application/pdf',
  zip: 'application/zip',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * A CSV or a spreadsheet as a file of that name. Pieces go out as the reader takes them; a reader that goes away, or takes nothing for too long, ends the
 * query behind them. Waits for the first rows: a file that can't begin is refused instead of broken off. Throws when it holds a connection of the
 * pages: only `downloads()` may wait for a reader.
 */
export async function sendFile(
  fileName: string,
  pieces: AsyncIterable<string | Uint8Array>,
  limits: Partial<typeof LIMITS> = {},
): Promise<Response> {
  const headers = headersOf(fileName);
  const rest = withoutPageConnections(pieces);
  try {
    // The first piece comes without the database, the second with rows of it.
    const firstPieces = [await rest.next(), await rest.next()];
    return new Response(streamOf(firstPieces, rest, { ...LIMITS, ...limits }), { headers });
  } catch (error) {
    if (isPoolBusy(error)) return refuseFile(503, 'Other exports are running. Try again in a minute.');
    throw error;
  }
}

/** A small file that is whole in memory. */
export function sendBytes(fileName: string, bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), { headers: headersOf(fileName) });
}

/** A payment file or a bank report: what reads it is a bank’s or a provider’s program, so it has no type that another one opens. */
export function sendPaymentFile(fileName: string, bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), { headers: { ...headersOf(fileName), 'Content-Type': 'application/octet-stream' } });
}

function headersOf(fileName: string): Record<string, string> {
  const type = TYPES[fileName.slice(fileName.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { ...HEADERS, 'Content-Type': type, 'Content-Disposition': `attachment; filename="${fileName}"` };
}

/** Unit: milliseconds. */
const LIMITS = {
  /** A reader that receives nothing for this long is cut off: others need its connection and its database snapshot. */
  stalled: 120_000,
  /** No file takes longer. */
  whole: DOWNLOAD_MS,
};

/**
 * Sends a rendered CSV as a gzip file, or 304 to a reader that has it. It is sent as a gzip file and not with a content encoding, so that no
 * proxy decompresses or compresses it again.
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
  return new Response(streamOf([], withoutPageConnections(rendered.members()), LIMITS), { headers });
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

/** What the address of a manifest ends with, after that of its file. */
export const MANIFEST = '.manifest.json';

interface FileWithManifest {
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Whether its manifest is known before it is read. */
  rendered?: object | null;
  manifest(): unknown;
}

/** The manifest of a file as a file of its own. */
export async function sendManifest(file: FileWithManifest): Promise<Response> {
  if (!file.rendered) {
    for await (const _ of file.bytes) {
      // Read to the end: the manifest is computed from the bytes of the file.
    }
  }
  const headers = { ...HEADERS, 'Content-Disposition': `attachment; filename="${file.fileName}${MANIFEST}"` };
  return Response.json(file.manifest(), { headers });
}

/** Why there is no file, in a sentence. */
export function refuseFile(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } });
}

/** The answer to a role that can’t export, as files name recipients with their emails; null: it can. */
export function refuseRole(person: Pick<Person, 'may'>): Response | null {
  if (person.may('files.export') && person.may('emails.read')) return null;
  return refuseFile(403, 'Your role can’t export files. An admin can change your role in Settings.');
}

/** Why a file doesn’t exist (404), can’t be made as things are (409) or is deleted (410). */
const REFUSALS = {
  never_pulled: [404, 'This month is not pulled.'],
  no_such_snapshot: [404, 'This month has no such snapshot. Reconciliation lists the snapshots of a month.'],
  not_rendered: [404, 'The gzip file is made once the month is complete. Try again in a minute, or export the CSV.'],
  no_run: [404, 'This run doesn’t exist.'],
  no_line: [404, 'This run has no such recipient.'],
  not_approved: [409, 'Statements are available once the run is approved.'],
  voided: [409, VOIDED_STATEMENTS],
  not_drawn: [409, 'Not all statements of this run are drawn. Ask for all statements on the run’s page first.'],
  none: [404, JOURNAL_REFUSALS.none],
  no_such_journal: [404, JOURNAL_REFUSALS.no_such_journal],
  too_long: [404, JOURNAL_REFUSALS.too_long],
  no_job: [404, NO_FILE.no_job],
  running: [409, NO_FILE.running],
  deleted: [410, NO_FILE.deleted],
} as const satisfies Record<string, readonly [number, string]>;

/** Why there is no file, by the reason of its export. */
export function refuseReason(reason: keyof typeof REFUSALS): Response {
  const [status, sentence] = REFUSALS[reason];
  return refuseFile(status, sentence);
}

function streamOf(
  first: IteratorResult<string | Uint8Array>[],
  rest: AsyncIterator<string | Uint8Array>,
  limits: typeof LIMITS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const timers: Partial<Record<keyof typeof limits, NodeJS.Timeout>> = {};
  async function stop(): Promise<void> {
    clearTimeout(timers.whole);
    clearTimeout(timers.stalled);
    await rest.return?.();
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timers.whole = setTimeout(() => breakOff(controller, 'whole'), limits.whole).unref();
    },
    async pull(controller) {
      clearTimeout(timers.stalled);
      const { done, value } = first.shift() ?? (await rest.next());
      if (done) {
        clearTimeout(timers.whole);
        controller.close();
        return;
      }
      controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      timers.stalled = setTimeout(() => breakOff(controller, 'stalled'), limits.stalled).unref();
    },
    cancel: stop,
  });

  function breakOff(controller: ReadableStreamDefaultController, limit: keyof typeof limits): void {
    controller.error(new Error(`a file passed the limit "${limit}" of ${limits[limit]} ms`));
    stop().catch(() => undefined);
  }
}
