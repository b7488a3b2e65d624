import { tryToParsePath } from 'next/dist/lib/try-to-parse-path.js';
import { NextRequest } from 'next/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { config, proxy } from '../../proxy.ts';

function policyOf(mode: 'production' | 'development'): string {
  vi.stubEnv('NODE_ENV', mode);
  onTestFinished(() => void vi.unstubAllEnvs());
  return proxy(new NextRequest('http://127.0.0.1:3000/demo/months')).headers.get('content-security-policy') ?? '';
}

test('in production nothing is evaluated, styles need the nonce and pages connect to their own origin only', () => {
  const policy = policyOf('production');
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/]{24}' 'strict-dynamic';/);
  expect(policy).toMatch(/style-src 'self' 'nonce-[\w+/]{24}';/);
  expect(policy).toContain("connect-src 'self';");
});

test('in development Next may evaluate code, add styles and open its web socket', () => {
  const policy = policyOf('development');
  expect(policy).toMatch(/script-src [^;]*'unsafe-eval'/);
  expect(policy).toContain("style-src 'self' 'unsafe-inline';");
  expect(policy).toContain("connect-src 'self' ws:;");
});

test('every page has a policy; only files and probes have none', () => {
  // Next's helper for tests replaces the console of the whole process, so only its parser is used.
  const matchers = config.matcher.map((source) => new RegExp(tryToParsePath(source).regexStr ?? 'no pattern'));
  const hasPolicy = (path: string): boolean => matchers.some((matcher) => matcher.test(path));
  const pages = [
    '/',
    '/sign-in',
    '/demo/months',
    '/metricsX/months',
    '/metrics/refunds/1',
    '/healthz/refunds/1',
    '/readyz/months',
    '/icon.svg/months',
    '/api/invo/demo/other',
  ];
  expect(pages.filter((url) => !hasPolicy(url))).toEqual([]);
  const others = ['/healthz', '/readyz', '/metrics', '/favicon.ico', '/icon.svg', '/_next/static/a.js', '/_next/image'];
  expect(others.filter(hasPolicy)).toEqual([]);
});
