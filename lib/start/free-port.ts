import { randomInt } from 'node:crypto';
import net from 'node:net';

/** Below the ports that a system gives to outgoing connections: one of those could take the port before the server listens. */
const PORTS = { first: 20_000, end: 32_000 };
const TRIES_MAX = 100;

/** Finds a TCP port on the loopback address on which nothing listens at this moment. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isPortFree(port, '127.0.0.1')) return port;
  }
  throw new Error('No port is free.');
}

/** Whether a server could listen on this port of this host now. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
