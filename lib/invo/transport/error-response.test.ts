import { expect, test } from 'vitest';
import type { Evidence } from '../invo-error.ts';
import { isAbsent } from '../invo-error.ts';
import { errorOfResponse } from './error-response.ts';
import type { Answer } from './send-request.ts';

function isGone(status: number, contentType: string, body: string): boolean {
  const answer = { status, contentType, retryAfter: null } as Answer;
  return isAbsent(errorOfResponse(answer, Buffer.from(body), {} as Evidence, ['secret'], 0));
}

test.each([
  { error: 'No such period.', error_code: 'PERIOD_NOT_FOUND', error_id: 'err_1' },
  { error_code: 'PERIOD_NOT_FOUND', error_code_public: 'RESOURCE_NOT_FOUND' },
  { error_code_public: 'RESOURCE_NOT_FOUND' },
  { error: 'No such period.' },
  { status: 'not_found' },
])('a 404 with %j is Invo’s own statement that the record doesn’t exist', (body) => {
  expect(isGone(404, 'application/json; charset=utf-8', JSON.stringify(body))).toBe(true);
});

test.each([
  [404, 'text/html', '<h1>Not Found</h1>'],
  [404, 'text/plain', '{"error":"No such period."}'],
  [404, 'application/json', '{"status":404,"error":"Not Found","path":"/api"}'],
  [404, 'application/json', '{"message":"no route"}'],
  [404, 'application/json', '{"error":""}'],
  [404, 'application/json', '["error"]'],
  [404, 'application/json', '"error"'],
  [404, 'application/json', '{"error":'],
  [400, 'application/json', '{"error_code":"PERIOD_NOT_FOUND"}'],
  [500, 'application/json', '{"error_code":"PERIOD_NOT_FOUND"}'],
])('a %i of type %s with %s is no statement that the record doesn’t exist', (status, contentType, body) => {
  expect(isGone(status, contentType, body)).toBe(false);
});
