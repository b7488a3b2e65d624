import { expect, test } from 'vitest';
import { findClientSource } from './request-context.ts';

test.each([
  ['no proxy is trusted', 0, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['no proxy is trusted and nothing is forwarded', 0, '203.0.113.9', undefined, '203.0.113.9'],
  ['one proxy reports the client', 1, '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['the client made up addresses before one proxy', 1, '10.0.0.2', '1.2.3.4, 5.6.7.8, 198.51.100.1', '198.51.100.1'],
  ['two proxies', 2, '10.0.0.2', 'made up, 198.51.100.1, 10.0.0.1', '198.51.100.1'],
  ['fewer addresses than proxies', 3, '10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['a proxy that forwards nothing', 1, '10.0.0.2', undefined, '10.0.0.2'],
  ['an address without a connection', 0, undefined, undefined, 'unknown'],
  ['an IPv4 address in IPv6', 0, '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['an IPv6 address counts by its network', 0, '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['another address of that network', 0, '2001:DB8:1:2::9', undefined, '2001:db8:1:2::/64'],
  ['a short IPv6 address', 0, '2001:db8::1', undefined, '2001:db8:0:0::/64'],
  ['the loopback of IPv6', 0, '::1', undefined, '0:0:0:0::/64'],
])('%s', (_, trusted, address, forwardedFor, source) => {
  expect(findClientSource({ address, forwardedFor }, trusted)).toBe(source);
});
