import { AsyncLocalStorage } from 'node:async_hooks';

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
