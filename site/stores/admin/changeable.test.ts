import { atom } from 'nanostores'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Reading } from '#site/stores/resources.ts'
import { $toasts } from '../toasts.ts'
import { makeChangeable } from './changeable.ts'

type Sending = { reply: () => void; fail: () => void }

/** A list on a server which replies when the test says so. */
let list: ReturnType<typeof makeChangeable<string[]>>
let sendings: Sending[]

beforeEach(() => {
  list = makeChangeable(Object.assign(atom<Reading<string[]>>({ loading: true }), { reload: async () => {} }))
  sendings = []
  $toasts.set([])
})

function add(word: string, { atOnce }: { atOnce: boolean }): Promise<boolean> {
  const added = (words: string[]) => [...words, word]
  return list.change(['first'], {
    ...(atOnce && { show: added }),
    send: (stored) => {
      const { promise, resolve, reject } = Promise.withResolvers<string[]>()
      sendings.push({ reply: () => resolve(added(stored)), fail: () => reject(new TypeError('Failed to fetch')) })
      return promise
    },
    notice: { title: `Added ${word}` },
    failure: `Failed to add ${word}`,
  })
}

describe('a change of a resource', () => {
  it('that fails goes away again, and the one behind it stays', async () => {
    const failing = add('wrong', { atOnce: true })
    const storing = add('right', { atOnce: true })
    expect(list.$changed.get()).toEqual(['first', 'wrong', 'right'])
    await Promise.resolve()
    expect(sendings).toHaveLength(1)
    sendings[0]?.fail()
    expect(await failing).toBe(false)
    expect(list.$changed.get()).toEqual(['first', 'right'])
    sendings[1]?.reply()
    expect(await storing).toBe(true)
    expect(list.$changed.get()).toEqual(['first', 'right'])
  })

  it('is made of what was stored before it, whatever was on the page when it was asked for', async () => {
    const adding = [add('second', { atOnce: false }), add('third', { atOnce: false })]
    await Promise.resolve()
    expect(list.$changed.get()).toBeUndefined()
    sendings[0]?.reply()
    await adding[0]
    expect(list.$changed.get()).toEqual(['first', 'second'])
    sendings[1]?.reply()
    await adding[1]
    const later = add('fourth', { atOnce: false })
    await Promise.resolve()
    sendings[2]?.reply()
    await later
    expect(list.$changed.get()).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('tells how it went', async () => {
    const adding = add('second', { atOnce: false })
    await Promise.resolve()
    sendings[0]?.reply()
    await adding
    expect($toasts.get()).toMatchObject([{ title: 'Added second' }])
    const failing = add('third', { atOnce: false })
    await Promise.resolve()
    sendings[1]?.fail()
    await failing
    expect($toasts.get()).toMatchObject([{ title: 'Error', description: 'Failed to add third' }])
  })
})
