import { atom } from 'nanostores'
import { beforeEach, describe, expect, it } from 'vitest'
import { ResponseError } from '#site/lib/request.ts'
import type { Reading } from '#site/stores/resources.ts'
import { $toasts } from '../toasts.ts'
import { makeChangeable } from './changeable.ts'

type Sending = { reply: () => void; fail: (error: unknown) => void }

/** A list on a server which replies when the test says so. */
let list: ReturnType<typeof makeChangeable<string[]>>
let sendings: Sending[]
const unreachable = new TypeError('Failed to fetch')

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
      sendings.push({ reply: () => resolve(added(stored)), fail: reject })
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
    sendings[0]?.fail(unreachable)
    expect(await failing).toBe(false)
    expect(list.$changed.get()).toEqual(['first', 'right'])
    sendings[1]?.reply()
    expect(await storing).toBe(true)
    expect(list.$changed.get()).toEqual(['first', 'right'])
  })

  it('goes back to what the server stored last, not to what was shown first', async () => {
    const storing = add('right', { atOnce: true })
    const failing = add('wrong', { atOnce: true })
    await Promise.resolve()
    sendings[0]?.reply()
    await storing
    sendings[1]?.fail(unreachable)
    await failing
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
    expect(list.$changed.get()).toEqual(['first', 'second', 'third'])
    expect($toasts.get()).toMatchObject([{ title: 'Added third' }])
  })

  it.each([
    ['where the site is out of reach', unreachable, 'Failed to add it'],
    [
      'with what the server says of a field',
      new ResponseError(422, '{"errors":[{"path":"a","message":"Too long"}]}'),
      'Too long',
    ],
    ['where the session has ended', new ResponseError(401, 'no'), 'Failed to add it. You are no longer signed in.'],
  ])('says that it failed, %s', async (_, error, description) => {
    const failing = add('it', { atOnce: false })
    await Promise.resolve()
    sendings[0]?.fail(error)
    await failing
    expect($toasts.get()).toMatchObject([{ title: 'Error', description, variant: 'destructive' }])
    expect($toasts.get()[0]?.action?.label).toBe(description.includes('signed in') ? 'Sign in' : undefined)
  })
})
