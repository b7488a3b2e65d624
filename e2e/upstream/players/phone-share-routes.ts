import { type Call, countExecution, type Route } from '../route.ts';
import { type Json, Refusal, Reply, wordsOnly } from '../wire/answer.ts';
import { readObject } from '../wire/read-request.ts';
import { canonicalPhone } from '../world/phones.ts';
import { newestShare, otherOwner, textOwner } from './phone-share.ts';

/** Whether the owner of a number lets another email use it. A refusal and no answer yet are both false. */
export const phoneShareStatusRoute: Route = {
  name: 'phone-share-status',
  method: 'GET',
  pattern: /^\/api\/wallet\/phone-share\/status$/,
  credential: 'secret',
  meter: 'none',
  answer(call) {
    const { phone, email } = readPair(Object.fromEntries(call.search));
    return { approved: otherOwner(phone, email) === null || newestShare(call, phone, email)?.state === 'approved' };
  },
};

/** Texts the owner of a number, for a start whose answer says that no code was sent. */
export const phoneShareInitiateRoute: Route = {
  name: 'phone-share-initiate',
  method: 'POST',
  pattern: /^\/api\/wallet\/phone-share\/initiate$/,
  credential: 'secret',
  meter: 'none',
  subject: (body) => (canonicalPhone(body['phone']) === null ? null : `${canonicalPhone(body['phone'])} ${String(body['email'])}`),
  answer: answerInitiate,
};

function answerInitiate(call: Call): Json | Reply {
  const { phone, email } = readPair(readObject(call.bytes));
  if (otherOwner(phone, email) === null) throw wordsOnly(400, 'This number needs no approval.');
  if (newestShare(call, phone, email)?.state === 'approved') return { status: 'success', code_sent: false, already_approved: true };
  const facts = textOwner(call, phone, email);
  if (facts['rate_limited'] === true) throw wordsOnly(429, 'Too many codes were sent to this number.', facts);
  if (facts['code_sent'] === true) {
    countExecution(call);
    call.outcome = 'executed';
  }
  // The documents show neither body nor answer.
  const has = (variant: string): boolean => call.state.shapes.has('phone-share-initiate', variant);
  if (has('empty')) return new Reply(202, {});
  if (has('renamed')) return { ok: true, request: { id: facts['approval_id'], sent: facts['code_sent'] } };
  return { status: 'success', ...facts };
}

function readPair({ phone: given, email }: Json): { phone: string; email: string } {
  const phone = canonicalPhone(given);
  if (phone === null || typeof email !== 'string' || !email.includes('@'))
    throw new Refusal(400, 'INVALID_FIELD_VALUE', 'phone and email are required.');
  return { phone, email: email.trim().toLowerCase() };
}
