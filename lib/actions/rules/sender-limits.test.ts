import { expect, test } from 'vitest';
import { senderLimitOf, senderRoomOf } from './sender-limits.ts';

const HOUR = 3_600_000;
const NONE = { sends: 0, starts: 0, coins: '0', hourLeft_ms: 0, dayLeft_ms: 0 };
const send = (counts: Partial<typeof NONE>, amount = '25.00') => senderLimitOf({ ...NONE, ...counts }, { isSend: true, amount });

// Document 3, Limits: 25 sends and 100 starts an hour of a sender, 1,000,000 coins of sends a day.
test('a sender has 24 sends and 99 starts an hour, and 1,000,000 coins of sends a day', () => {
  expect(send({ sends: 23, starts: 98 })).toBeNull();
  expect(send({ sends: 24, hourLeft_ms: HOUR })).toEqual({ blocker: 'too_many_sends', wait_ms: HOUR });
  expect(send({ starts: 99, hourLeft_ms: HOUR })).toEqual({ blocker: 'too_many_starts', wait_ms: HOUR });
  expect(send({ coins: '999975' })).toBeNull();
  expect(send({ coins: '999975.01', dayLeft_ms: 2 * HOUR })).toEqual({ blocker: 'too_many_coins', wait_ms: 2 * HOUR });
  // One send alone: waiting longer changes nothing, but it is never sent.
  expect(send({}, '1000000.01')).toEqual({ blocker: 'too_many_coins', wait_ms: 60_000 });
});

test('a transfer of a player counts as a start only', () => {
  const counts = { ...NONE, sends: 24, coins: '1000000' };
  expect(senderLimitOf(counts, { isSend: false, amount: '25.00' })).toBeNull();
  expect(senderLimitOf({ ...counts, starts: 99 }, { isSend: false, amount: '25.00' })).toMatchObject({ blocker: 'too_many_starts' });
});

test('before anything is typed it is known that a sender reached a limit, and what is left of a day that began', () => {
  const room = (counts: Partial<typeof NONE>, isSend = true) => senderRoomOf({ ...NONE, ...counts }, isSend);
  expect(room({})).toEqual({ limit: null, coins_left: null });
  expect(room({ coins: '999959.50' })).toEqual({ limit: null, coins_left: '40.50' });
  expect(room({ coins: '1000000', dayLeft_ms: HOUR })).toMatchObject({ limit: { blocker: 'too_many_coins', wait_ms: HOUR } });
  expect(room({ sends: 24, hourLeft_ms: HOUR })).toMatchObject({ limit: { blocker: 'too_many_sends', wait_ms: HOUR } });
  // A transfer of a player counts as a start only.
  expect(room({ sends: 24, coins: '1000000' }, false)).toEqual({ limit: null, coins_left: null });
  expect(room({ starts: 99, hourLeft_ms: HOUR }, false)).toMatchObject({ limit: { blocker: 'too_many_starts', wait_ms: HOUR } });
});
