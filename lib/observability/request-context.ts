import { AsyncLocalStorage } from 'node:async_hooks';
import { isIP } from 'node:net';

/** What is known of a request in progress. */
export interface RequestFacts {
  /** In the log, the response header and on the error page. */
  requestId: string;
  /** As the server received it: GET, POST and so on. No header can change it. */
  method: string;
  /** Address of the connection. No header can change it. */
  address: string | undefined;
  /** Id of the signed-in person; null: nobody, or not requested. */
  personId: string | null;
  /** Statements sent to the database so far. */
  statements: number;
}

// One per process: the server and the built pages are two copies of this file.
const shared = globalThis as typeof globalThis & { sharebookRequests?: AsyncLocalStorage<RequestFacts> };
const requests = (shared.sharebookRequests ??= new AsyncLocalStorage<RequestFacts>());

/** Runs work as part of a request. */
export function runInRequest<Result>(facts: RequestFacts, work: () => Result): Result {
  return requests.run(facts, work);
}

/** The request that the calling code works for; null outside of one. */
export function currentRequest(): RequestFacts | null {
  return requests.getStore() ?? null;
}

/**
 * The address a request comes from, as far as it can be known: that of the connection, or with trusted servers in front the one that the
 * outermost of them saw. Entries further left in `x-forwarded-for` are whatever the client wrote. An IPv6 client counts by its network, of
 * which it has as many addresses as it likes.
 */
export function findClientSource(
  { address, forwardedFor }: { address: string | undefined; forwardedFor: string | undefined },
  trustedProxies: number,
): string {
  const chain = [...(forwardedFor ?? '').split(',').map((each) => each.trim()), address ?? ''].filter((each) => each !== '');
  const found = chain.at(-1 - trustedProxies) ?? chain.at(0) ?? 'unknown';
  return networkOf(found);
}

function networkOf(text: string): string {
  const address = text.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(address) !== 6) return address.slice(0, 100);
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const [start, end] = [head, tail].map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - (start?.length ?? 0) - (end?.length ?? 0)) }, () => '0');
  const groups = address.includes('::') ? [...(start ?? []), ...zeros, ...(end ?? [])] : (start ?? []);
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
