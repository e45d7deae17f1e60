/** Where webhooks may go, address by address. */
import { verifies } from '../../../../test/spec/verifies.js';
import { isPublicAddress, judgeTarget, type Reach } from './target.js';

const INTERNET: Reach = { loopback: false, privateHosts: [] };

const reaches = (url: string, addresses: readonly string[], reach: Reach = INTERNET): string | false => {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const);
  const target = judgeTarget(new URL(url), all, reach);
  return target.ok && target.address.address;
};

const INSIDE: readonly (readonly [string, string])[] = [
  ['this machine', '127.0.0.1'],
  ['this machine by another of its addresses', '127.8.9.1'],
  ['a private network', '10.1.2.3'],
  ['another private network', '172.16.0.1'],
  ['a home', '192.168.1.1'],
  ['the keys of a cloud', '169.254.169.254'],
  ['a carrier', '100.64.0.1'],
  ['no address', '0.0.0.0'],
  ['everybody', '255.255.255.255'],
  ['a group', '224.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['benchmarks', '198.18.0.1'],
  ['the future', '240.0.0.1'],
  ['this machine in IPv6', '::1'],
  ['nothing in IPv6', '::'],
  ['a link', 'fe80::1'],
  ['a site', 'fec0::1'],
  ['a private network in IPv6', 'fd00::1'],
  ['a group in IPv6', 'ff02::1'],
  ['this machine mapped into IPv6', '::ffff:127.0.0.1'],
  ['a private network mapped into IPv6, in hex', '::ffff:a01:203'],
  ['a private address as IPv6 once wrote it', '::10.1.2.3'],
  ['a private network by 6to4', '2002:a01:203::1'],
  ['a private network by Teredo', '2001:0:a01:203::1'],
  ['a private network by NAT64', '64:ff9b::a01:203'],
  ['documentation in IPv6', '2001:db8::1'],
  ['no address at all', 'localhost'],
];

describe('an address', () => {
  for (const [what, address] of INSIDE)
    verifies('BRG-92', `threat 22: of ${what} (${address}) is not reached`, () => {
      expect(isPublicAddress(address)).toBe(false);
      expect(reaches('https://hook.example', [address])).toBe(false);
    });

  for (const address of ['93.184.216.34', '1.1.1.1', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:1.1.1.1'])
    verifies('BRG-92', `of the internet (${address}) is`, () => {
      expect(reaches('https://hook.example', [address])).toBe(address);
    });
});

describe('a webhook', () => {
  verifies('BRG-92', 'goes to the internet encrypted, or not at all', () => {
    expect(reaches('http://hook.example', ['1.1.1.1'])).toBe(false);
  });

  verifies('BRG-92', 'takes of several addresses the first that is outside', () => {
    expect(reaches('https://hook.example', ['10.0.0.1', '1.1.1.1', '2.2.2.2'])).toBe('1.1.1.1');
    expect(reaches('https://hook.example', [])).toBe(false);
  });

  verifies(
    'BRG-92',
    'reaches inside only the hosts that the file names, and no cloud’s keys even there',
    () => {
      const reach = { loopback: false, privateHosts: ['Risk.internal', '10.0.0.9'] };
      expect(reaches('http://risk.internal', ['10.0.0.1'], reach)).toBe('10.0.0.1');
      expect(reaches('http://10.0.0.9', ['10.0.0.9'], reach)).toBe('10.0.0.9');
      expect(reaches('https://risk.internal', ['169.254.169.254'], reach)).toBe(false);
      expect(reaches('https://other.internal', ['10.0.0.1'], reach)).toBe(false);
      expect(reaches('https://risk.internal.evil.example', ['10.0.0.1'], reach)).toBe(false);
    },
  );

  verifies('BRG-92', 'reaches this machine in dev mode, and nothing else inside', () => {
    const reach = { loopback: true, privateHosts: [] };
    expect(reaches('http://localhost:4100', ['127.0.0.1'], reach)).toBe('127.0.0.1');
    expect(reaches('http://[::1]:4100', ['::1'], reach)).toBe('::1');
    expect(reaches('http://nas.local', ['192.168.1.4'], reach)).toBe(false);
  });
});
