import { formatInstant } from '../instant.ts';
import type { Title } from '../route.ts';
import { nextNumber, type PhoneShare } from '../state/desk.ts';
import { sharedDesk } from '../transfers/transfer-data.ts';
import { type Json, Refusal } from '../wire/answer.ts';
import { ownerOf } from '../world/phones.ts';

const COOLDOWN_MS = 30_000;
const HOUR_MS = 3_600_000;
const TEXTS_PER_HOUR = 40;
const LIFETIME_MS = 15 * 60_000;

/** Refuses a number that is on file under another email until its owner agrees, after a text to the owner. */
export function checkPhone(title: Title, phone: string, email: string): void {
  const owner = otherOwner(phone, email);
  if (owner === null) return;
  const has = (variant: string): boolean => title.state.shapes.has('phone-share-initiate', variant);
  const newest = newestShare(title, phone, email);
  if (newest?.state === 'approved') return;
  const facts = has('already_approved')
    ? { ...shareFacts(decide(title, newest ?? newShare(title, phone, email), 'approved')), code_sent: false, already_approved: true }
    : textOwner(title, phone, email, !has('not_texted'));
  const message = 'This number is on file under another account, whose owner must agree.';
  throw new Refusal(409, 'PHONE_SHARE_APPROVAL_REQUIRED', message, {
    status: 'error',
    message,
    phone,
    requesting_email: email,
    existing_account_hints: [`${owner.slice(0, 1)}•••@${owner.split('@')[1]}`],
    next_endpoint: '/api/wallet/phone-share/initiate',
    ...facts,
  });
}

/** Under which other email a number is on file; null: under none. */
export function otherOwner(phone: string, email: string): string | null {
  const owner = ownerOf(phone);
  return owner === email ? null : owner;
}

/** The latest approval of an email for a number; null: none was started, or its time is over. */
export function newestShare(title: Title, phone: string, email: string): PhoneShare | null {
  const shares = [...sharedDesk(title).shares.values()].filter((share) => share.phone === phone && share.email === email);
  const newest = shares.at(-1) ?? null;
  return newest?.state === 'pending' && newest.expiresMs <= title.view.nowMs ? null : newest;
}

/** Texts the owner of a number, but not within half a minute of the last text or above forty in an hour; returns what answers state of it. */
export function textOwner(title: Title, phone: string, email: string, isTexted = true): Json {
  const { texts, shares } = sharedDesk(title);
  const { nowMs } = title.view;
  const newest = newestShare(title, phone, email);
  const pending = newest?.state === 'pending' ? newest : null;
  const sinceMs = nowMs - (pending?.textedMs ?? 0);
  if (pending !== null && sinceMs < COOLDOWN_MS)
    return {
      ...shareFacts(pending),
      code_sent: false,
      already_approved: false,
      cooldown_seconds: Math.ceil((COOLDOWN_MS - sinceMs) / 1000),
    };
  const recent = (texts.get(phone) ?? []).filter((ms) => ms > nowMs - HOUR_MS);
  if (recent.length >= TEXTS_PER_HOUR)
    return {
      code_sent: false,
      already_approved: false,
      rate_limited: true,
      retry_after_seconds: Math.ceil(((recent[0] ?? nowMs) + HOUR_MS - nowMs) / 1000),
    };
  const share = pending ?? newShare(title, phone, email);
  if (isTexted) {
    texts.set(phone, [...recent, nowMs]);
    shares.set(share.approvalId, { ...share, textedMs: nowMs });
  }
  return { ...shareFacts(share), code_sent: isTexted, already_approved: false };
}

/** The owner's answer; a refusal is final, and a new start makes another approval. */
export function decide(title: Title, share: PhoneShare, state: 'approved' | 'rejected'): PhoneShare {
  const decided = { ...share, state };
  sharedDesk(title).shares.set(share.approvalId, decided);
  return decided;
}

function newShare(title: Title, phone: string, email: string): PhoneShare {
  const desk = sharedDesk(title);
  const share: PhoneShare = {
    approvalId: `PSA_${String(nextNumber(desk, 'shares')).padStart(6, '0')}`,
    phone,
    email,
    state: 'pending',
    textedMs: 0,
    expiresMs: title.view.nowMs + LIFETIME_MS,
  };
  desk.shares.set(share.approvalId, share);
  return share;
}

function shareFacts({ approvalId, expiresMs }: PhoneShare): Json {
  return { approval_id: approvalId, expires_at: formatInstant(expiresMs) };
}
