import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A report as it goes over the wire, to be changed at will. */
export interface WireReport {
  totals: { recipient_count: number };
  recipients: WireRecipient[];
  pagination: { total_count: number };
}
interface WireRecipient {
  recipient: { player_id: number };
  renewal_count: number;
  periods: { paid_at: string; attribution: { recipient_player_id: number } }[];
}

export interface LyingTransport {
  url: string;
  /** What every answer becomes on its way; null: it is left as it is. */
  edit: ((report: WireReport, query: URLSearchParams) => void) | null;
  close(): Promise<void>;
}

/** A transport to the simulated Invo that changes what its 200s say. */
export async function openLyingTransport(upstreamUrl: string): Promise<LyingTransport> {
  const transport: LyingTransport = { url: '', edit: null, close: () => new Promise((resolve) => void server.close(() => resolve())) };
  const server = http.createServer((request, response) => {
    // The waiting client is cut off, and the failure names the reason.
    carry(transport, upstreamUrl, request, response).catch((error: unknown) => {
      process.stderr.write(`lying transport: ${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  transport.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return transport;
}

async function carry(
  transport: LyingTransport,
  upstreamUrl: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const address = new URL(request.url ?? '/', upstreamUrl);
  const answer = await fetch(address, { headers: { 'X-Game-Secret-Key': String(request.headers['x-game-secret-key']) } });
  const body = (await answer.json()) as WireReport;
  if (answer.ok) transport.edit?.(body, address.searchParams);
  response.writeHead(answer.status, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify(body));
}
