import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ResponseError } from '#site/lib/request.ts'
import { $toasts } from '../toasts.ts'
import { changeableAt } from './changeable.ts'

const features = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }
const withoutFamily = { ...features, familyRsvp: false }
const withoutBoth = { ...withoutFamily, volunteerSignup: false }

let resource: ReturnType<typeof changeableAt<'/api/features'>>
/** What the server has. */
let stored: typeof features
/** Each act ends when the test says so. */
let acts: { reply: () => void; fail: (error: unknown) => void }[]

beforeEach(() => {
  resource = changeableAt('/api/features')
  stored = features
  acts = []
  $toasts.set([])
  vi.stubGlobal('fetch', async () => Response.json(stored))
})
afterEach(() => vi.unstubAllGlobals())

function change(next: typeof features, { atOnce = true } = {}): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<typeof features>()
  acts.push({
    reply: () => {
      stored = next
      resolve(next)
    },
    fail: reject,
  })
  return resource.change(() => promise, {
    shown: atOnce ? next : undefined,
    notice: { title: 'Done' },
    failure: 'Failed',
  })
}

describe('a change of a resource', () => {
  it('that fails goes back to what the server has stored', async () => {
    const [storing, failing] = [change(withoutFamily), change(withoutBoth)]
    expect(resource.$changed.get()).toEqual(withoutBoth)
    acts[0]?.reply()
    expect(await storing).toBe(true)
    expect(resource.$changed.get(), 'the second is still shown').toEqual(withoutBoth)
    acts[1]?.fail(new TypeError('Failed to fetch'))
    expect(await failing).toBe(false)
    expect(resource.$changed.get()).toEqual(withoutFamily)
  })

  it('begins once the one before has ended, so that the last is stored last', async () => {
    const storing = change(withoutFamily)
    const act = vi.fn(async () => withoutBoth)
    const next = resource.change(act, { failure: 'Failed' })
    await new Promise((resolve) => setTimeout(resolve))
    expect(act).not.toHaveBeenCalled()
    acts[0]?.reply()
    expect(await Promise.all([storing, next])).toEqual([true, true])
  })

  it('shows what the server has after it, others’ changes too', async () => {
    const storing = change(withoutFamily, { atOnce: false })
    expect(resource.$changed.get()).toBeUndefined()
    acts[0]?.reply()
    stored = withoutBoth
    await storing
    expect(resource.$changed.get()).toEqual(withoutBoth)
    expect($toasts.get()).toMatchObject([{ title: 'Done' }])
  })

  it('stays on the page if the resource cannot be read after it', async () => {
    vi.stubGlobal('fetch', async () => new Response('busy', { status: 503 }))
    const storing = change(withoutFamily)
    acts[0]?.reply()
    expect(await storing).toBe(true)
    expect(resource.$changed.get()).toEqual(withoutFamily)
  })

  const tooLong = '{"errors":[{"path":"a","message":"Too long"}]}'
  it.each([
    ['where the site is out of reach', new TypeError('Failed to fetch'), 'Failed'],
    ['with what the server says of a field', new ResponseError(422, tooLong), 'Too long'],
    ['where the session has ended', new ResponseError(401, 'no'), 'Failed. You are no longer signed in.'],
  ])('says that it failed, %s', async (_, error, description) => {
    const failing = change(withoutFamily)
    acts[0]?.fail(error)
    await failing
    expect($toasts.get()).toMatchObject([{ title: 'Error', description, variant: 'destructive' }])
    expect($toasts.get()[0]?.action?.label).toBe(description.includes('signed in') ? 'Sign in' : undefined)
  })
})
