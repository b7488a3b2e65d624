import http from 'node:http';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { onTestFinished } from 'vitest';
import { sampleReport } from './sample-answers.ts';

export type Answering = (request: http.IncomingMessage, response: http.ServerResponse, nth: number) => void;

export interface CannedServer {
  url: string;
  /** The requests seen, oldest first, with their headers. */
  seen: http.IncomingMessage[];
  /** The bodies read so far, oldest first, byte for byte. */
  bodies: Buffer[];
  close(): Promise<void>;
}

/** A real server on a free loopback port that answers as the test says and ends with it; `nth` counts requests from 1. */
export async function startCannedServer(answer: Answering): Promise<CannedServer> {
  const seen: http.IncomingMessage[] = [];
  const bodies: Buffer[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => bodies.push(Buffer.concat(chunks)));
    answer(request, response, seen.length);
  });
  const port = await listen(server);
  return endingWithTest({
    url: `http://127.0.0.1:${port}`,
    seen,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}

/** A server that writes exactly these bytes to each client, then leaves the connection open or ends it. */
export function startRawServer(bytes: string | Buffer, then: 'keep' | 'end'): Promise<CannedServer> {
  return startSocketServer((socket) => socket.once('data', () => (then === 'end' ? socket.end(bytes) : socket.write(bytes))));
}

/** A server below HTTP: the test does as it likes with each connection. What arrives is in `bodies`, chunk by chunk. */
export async function startSocketServer(meet: (socket: net.Socket, nth: number) => void): Promise<CannedServer> {
  const sockets = new Set<net.Socket>();
  const bodies: Buffer[] = [];
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => bodies.push(chunk));
    meet(socket, sockets.size);
  });
  const port = await listen(server);
  return endingWithTest({
    url: `http://127.0.0.1:${port}`,
    seen: [],
    bodies,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}

/** Answers once the whole request has been read. */
export function afterReading(answer: Answering): Answering {
  return (request, response, nth) => void request.on('end', () => answer(request, response, nth));
}

/** Answers with JSON. */
export function sendJson(response: http.ServerResponse, status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with the sound sample report. */
export function sendSample(response: http.ServerResponse): void {
  sendJson(response, 200, sampleReport());
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

function endingWithTest(server: CannedServer): CannedServer {
  onTestFinished(() => server.close());
  return server;
}
