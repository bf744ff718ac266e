import { describe, expect, it } from 'vitest'
import { widerLevels } from './wider-networks.ts'

describe('widerLevels', () => {
  const levels = (network: string) => widerLevels('rsvp', network, { atOnce: 60, everyMs: 2000 })

  it.each<[string, [string, number, number][]]>([
    ['203.0.113.7', [['rsvp 203.0.113.0/24', 960, 125]]],
    [
      '2001:db8:1:2ff::/64',
      [
        ['rsvp 2001:db8:1:200::/56', 240, 500],
        ['rsvp 2001:db8:1::/48', 960, 125],
      ],
    ],
    [
      '2001:db8:0:0::/64',
      [
        ['rsvp 2001:db8:0:0::/56', 240, 500],
        ['rsvp 2001:db8:0::/48', 960, 125],
      ],
    ],
    ['unknown', []],
  ])('around %s', (network, expected) => {
    expect(levels(network).map(({ name, allowance: { atOnce, everyMs } }) => [name, atOnce, everyMs])).toEqual(expected)
  })
})
