import { NextRequest } from 'next/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { proxy } from '../../proxy.ts';

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
