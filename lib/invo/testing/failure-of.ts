import { inspect } from 'node:util';
import { InvoError } from '../invo-error.ts';

/** The trouble a call must end in; an answer, or any other error, fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<InvoError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof InvoError)) throw new Error(`expected trouble, got ${inspect(outcome)}`);
  return outcome;
}
