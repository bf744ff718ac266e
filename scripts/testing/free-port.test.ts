import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freePort } from './free-port.mjs'

it.runIf(process.platform === 'linux')('finds different ports below the range that the system assigns', async () => {
  const range = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  expect(Math.max(...ports)).toBeLessThan(Number.parseInt(range, 10))
})
