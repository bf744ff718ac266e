import { describe, expect, it } from 'vitest'
import { networkOf, withoutPorts } from './network.ts'

describe('withoutPorts', () => {
  it.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['203.0.113.7, 198.51.100.2:80,[::1]:1', '203.0.113.7, 198.51.100.2, ::1'],
    ['unknown, evil.example:80', 'unknown, evil.example:80'],
    ['', ''],
  ])('%s is %s', (sent, expected) => {
    expect(withoutPorts(sent)).toBe(expected)
  })
})

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
    expect(networkOf(address, '198.51.100.1')).toBe(network)
  })

  it.each(['', 'unknown', 'evil.example', '203.0.113.7:80', '203.0.113.256', '<script>', '203.0.113.7, 10.0.0.1'])(
    'the address %j is none: the other end of the connection counts',
    (address) => {
      expect(networkOf(address, '198.51.100.1')).toBe('198.51.100.1')
      expect(networkOf(address, '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    },
  )

  it('is unknown where neither end is an address', () => {
    expect(networkOf('x')).toBe('unknown')
    expect(networkOf('x', 'y')).toBe('unknown')
    expect(networkOf('', '')).toBe('unknown')
  })
})
