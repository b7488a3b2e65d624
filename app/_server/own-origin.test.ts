import { expect, test } from 'vitest';
import { isOwnOrigin } from './own-origin.ts';

function ask(headers: Record<string, string>, publicOrigin: string): boolean {
  return isOwnOrigin(new Headers(headers), publicOrigin);
}

const PUBLIC = 'https://book.studio.example';
const LOCAL = 'http://127.0.0.1:3000';

test.each([
  [{ origin: PUBLIC }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'same-origin' }, PUBLIC],
  [{ origin: LOCAL, 'sec-fetch-site': 'same-origin' }, LOCAL],
  [{ origin: 'http://localhost:3000' }, LOCAL],
  [{ origin: 'http://[::1]:3000' }, LOCAL],
  [{ origin: 'http://127.0.0.1:3000' }, 'http://localhost:3000'],
])('%j may act on %s', (headers, publicOrigin) => {
  expect(ask(headers, publicOrigin)).toBe(true);
});

test.each([
  [{}, PUBLIC],
  [{ origin: '' }, PUBLIC],
  [{ origin: 'null' }, PUBLIC],
  [{ origin: 'https://elsewhere.example' }, PUBLIC],
  [{ origin: 'https://elsewhere.example', 'x-forwarded-host': 'elsewhere.example', host: 'elsewhere.example' }, PUBLIC],
  [{ origin: 'http://book.studio.example' }, PUBLIC],
  [{ origin: 'https://book.studio.example:8443' }, PUBLIC],
  [{ origin: 'https://book.studio.example.elsewhere.example' }, PUBLIC],
  [{ origin: 'https://book.studio.example/path' }, PUBLIC],
  [{ origin: 'https://user@book.studio.example' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'cross-site' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'same-site' }, PUBLIC],
  [{ origin: PUBLIC, 'sec-fetch-site': 'none' }, PUBLIC],
  [{ origin: 'http://localhost:3001' }, LOCAL],
  [{ origin: 'https://localhost:3000' }, LOCAL],
  [{ origin: 'http://localhost.elsewhere.example:3000' }, LOCAL],
  [{ origin: 'http://localhost:3000' }, PUBLIC],
  [{ origin: 'https://localhost' }, PUBLIC],
])('%j may not act on %s', (headers, publicOrigin) => {
  expect(ask(headers as Record<string, string>, publicOrigin)).toBe(false);
});
