import { createHash, randomUUID } from 'node:crypto';
import type { Json } from '../wire/answer.ts';

/** A webhook of one title, as its console would register it. */
export interface Registration {
  url: string;
  /** `*` or event types. */
  types: string[];
  secret: string;
  /** Signs beside the current one until the week of a rotation is over; null: none. */
  previousSecret: string | null;
  rotatedMs: number | null;
  /** Of the current secret. */
  version: number;
}

interface Attempt {
  /** By the service's clock. */
  at: string;
  /** 0: no answer came, or it was never sent. */
  status: number;
  eventIdHeader: string;
}

/** One event and what was tried to deliver it. */
export interface OutboxEvent {
  /** Stable across retries and replays. */
  key: string;
  eventId: string;
  eventType: string;
  createdMs: number;
  data: Json;
  mangles: string[];
  attempts: Attempt[];
  /** By the service's clock; null: delivered, given up, or held. */
  dueMs: number | null;
  /** The signed time of the first attempt, for retries that keep it; null: not tried. */
  firstSignedAt: number | null;
}

export interface StoredOutbox {
  registration: Registration | null;
  events: OutboxEvent[];
  renewedUntilMs: number | null;
}

const SECOND = 1_000;
/** Each wait after the last attempt: 30 seconds, 2 and 10 minutes, 1, 6 and 24 hours. */
const WAITS_MS = [30, 120, 600, 3_600, 21_600, 86_400].map((seconds) => seconds * SECOND);
const GRACE_MS = 7 * 86_400_000;
const EVENTS_MAX = 5_000;

/** What one title has to deliver. */
export interface Outbox {
  registration(): Registration | null;
  register(url: string, types: string[], secret?: string): Registration;
  rotate(nowMs: number, secret?: string): Registration;
  unregister(): void;
  /** Adds an event in the step that changes the state it tells of; nothing without a webhook for its type. */
  add(eventType: string, data: Json, nowMs: number, key?: string): OutboxEvent | null;
  /** Mangles of the next event. */
  arm(mangles: string[]): void;
  events(): OutboxEvent[];
  find(key: string): OutboxEvent | null;
  due(nowMs: number): OutboxEvent[];
  /** Records an attempt: delivered by a 2xx, otherwise due again or given up. */
  record(event: OutboxEvent, attempt: Attempt, nowMs: number): void;
  /** The secrets that sign now, the current one first. */
  secrets(nowMs: number): string[];
  /** Until when renewals are in the outbox; null: none was added. */
  renewedUntilMs(): number | null;
  renewed(untilMs: number): void;
  stored(): StoredOutbox;
  clear(): void;
}

/** An outbox with what an earlier run left. Sends nothing by itself. */
export function createOutbox(stored: StoredOutbox | undefined): Outbox {
  let registration = stored?.registration ?? null;
  let events = stored?.events ?? [];
  let armed: string[] = [];
  let renewedMs = stored?.renewedUntilMs ?? null;
  function known(): Registration {
    if (registration === null) throw new Error('no webhook is registered');
    return registration;
  }
  return {
    registration: () => registration,
    register(url, types, secret) {
      registration = { url, types, secret: secret ?? newSecret(), previousSecret: null, rotatedMs: null, version: 1 };
      return registration;
    },
    rotate(nowMs, secret) {
      const { secret: previousSecret, version, ...rest } = known();
      registration = { ...rest, secret: secret ?? newSecret(), previousSecret, rotatedMs: nowMs, version: version + 1 };
      return registration;
    },
    unregister: () => void (registration = null),
    add(eventType, data, nowMs, key) {
      if (registration === null || !registration.types.some((type) => type === '*' || type === eventType)) return null;
      const event: OutboxEvent = {
        key: key ?? `whk_${shortId(`${eventType}|${JSON.stringify(data)}|${nowMs}|${events.length}`)}`,
        eventId: `evt_${shortId(randomUUID())}`,
        eventType,
        createdMs: nowMs,
        data,
        mangles: armed,
        attempts: [],
        dueMs: armed.includes('hold') ? null : nowMs,
        firstSignedAt: null,
      };
      armed = [];
      events = [...events, event].slice(-EVENTS_MAX);
      return event;
    },
    arm: (mangles) => void (armed = mangles),
    events: () => events,
    find: (key) => events.find((event) => event.key === key) ?? null,
    due(nowMs) {
      const due = events.filter(({ dueMs }) => dueMs !== null && dueMs <= nowMs);
      return due.some(({ mangles }) => mangles.includes('reverse')) ? due.toReversed() : due;
    },
    record(event, attempt, nowMs) {
      event.attempts.push(attempt);
      const wait = WAITS_MS[event.attempts.length - 1];
      event.dueMs = (attempt.status >= 200 && attempt.status < 300) || wait === undefined ? null : nowMs + wait;
    },
    secrets(nowMs) {
      const { secret, previousSecret, rotatedMs } = known();
      return previousSecret === null || nowMs - (rotatedMs ?? 0) > GRACE_MS ? [secret] : [secret, previousSecret];
    },
    renewedUntilMs: () => renewedMs,
    renewed: (untilMs) => void (renewedMs = untilMs),
    stored: () => ({ registration, events: events.slice(-200), renewedUntilMs: renewedMs }),
    clear(): void {
      events = [];
      armed = [];
      renewedMs = null;
    },
  };
}

function newSecret(): string {
  return `whsec_${randomUUID().replaceAll('-', '')}`;
}

function shortId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
