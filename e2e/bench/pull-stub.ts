import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// A thread that answers from memory what the simulated Invo answered first, so that a pull is measured without it.

interface StubAnswer {
  status: number;
  headers: http.OutgoingHttpHeaders;
  body: Buffer;
}

const answers = new Map<string, StubAnswer>();
const { upstreamUrl } = workerData as { upstreamUrl: string };

const server = http.createServer((request, response) => {
  void answer(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as { port: number }).port));

async function answer(request: http.IncomingMessage): Promise<StubAnswer> {
  const key = request.url ?? '/';
  const known = answers.get(key);
  if (known) return known;
  const received = await forward(request);
  answers.set(key, received);
  return received;
}

function forward({ url, headers }: http.IncomingMessage): Promise<StubAnswer> {
  return new Promise((resolve, reject) => {
    const { host: _, connection: __, ...sent } = headers;
    const onward = http.get(new URL(url ?? '/', upstreamUrl), { headers: sent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = Buffer.concat(chunks);
        const { 'content-type': type, 'content-encoding': encoding } = response.headers;
        const passedOn = { 'content-type': type, 'content-length': body.length, ...(encoding ? { 'content-encoding': encoding } : {}) };
        resolve({ status: response.statusCode ?? 0, headers: passedOn, body });
      });
    });
    onward.on('error', reject);
  });
}
