import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { UserError } from '#db/errors.ts'
import { cached } from './readings.ts'

const DAY = 24 * 60 * 60 * 1000

it('reads once for all that ask, and again once that is too old', async () => {
  let times = 0
  const read = cached(async () => ++times, 200, DAY)
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
  expect(await read()).toBe(1)
  await wait(250)
  expect(await read()).toBe(2)
})

it('waits no longer than it may, and never asks twice what does not reply', async () => {
  let times = 0
  let reply: ((value: string) => void) | undefined
  const hangs = () =>
    new Promise<string>((resolve) => {
      times += 1
      reply = resolve
    })
  const read = cached(hangs, DAY, 20)
  expect([await read(), await read()]).toEqual([undefined, undefined])
  reply?.('late')
  expect([await read(), times]).toEqual(['late', 1])
})

it('leaves out what fails, and tries again', async () => {
  const results = [new UserError('unavailable', 'Later.'), new TypeError('a bug'), 'well']
  const read = cached(
    async () => {
      const result = results.shift()
      if (result instanceof Error) throw result
      return result
    },
    DAY,
    DAY,
  )
  expect([await read(), await read(), await read()]).toEqual([undefined, undefined, 'well'])
})
