import { atom } from 'nanostores'
import pLimit from 'p-limit'
import { ResponseError } from '#site/lib/request.ts'
import type { Resource } from '#site/stores/resources.ts'
import { addErrorToast, addToast, type Notice } from '#site/stores/toasts.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

export type Changeable<Data> = ReturnType<typeof makeChangeable<Data>>

type Change<Data, Stored extends Data> = {
  /** What is shown until the server has replied; without it nothing changes before that. */
  show?: (shown: Data) => Data
  /** Sends the change. Returns what is stored then, made from what was stored before. */
  send: (stored: Data) => Promise<Stored>
  /** What the administrator reads once it is stored, … */
  notice: Notice | ((stored: Stored) => Notice)
  /** … and when it is not. */
  failure: string | ((error: unknown) => string)
}

/**
 * Lets this page change a resource. It shows what the server last said, and on top of that every change still to be sent:
 * one that fails is rolled back alone. Changes are sent one at a time.
 */
export function makeChangeable<Data>($resource: Resource<Data>) {
  /** The resource as this page last showed a change; undefined until it tried one. */
  const $changed = atom<Data | undefined>(undefined)
  // One at a time, so that the last change is stored last.
  const enqueue = pLimit(1)
  const waiting: Pick<Change<Data, Data>, 'show'>[] = []
  let storedData: Data

  /**
   * @param current what is shown while nothing has been changed yet.
   * @returns whether it is stored; the notice says so too.
   */
  function change<Stored extends Data>(current: Data, requested: Change<Data, Stored>): Promise<boolean> {
    if (waiting.length === 0) storedData = $changed.get() ?? current
    waiting.push(requested)
    if (requested.show) draw()
    return enqueue(async () => {
      const isStored = await store(requested)
      waiting.shift()
      draw()
      return isStored
    })
  }

  async function store<Stored extends Data>({ send, notice, failure }: Change<Data, Stored>): Promise<boolean> {
    try {
      const stored = await send(storedData)
      storedData = stored
      addToast(typeof notice === 'function' ? notice(stored) : notice)
      return true
    } catch (error) {
      const [refused] = error instanceof ResponseError ? error.fields : []
      const description = typeof failure === 'function' ? failure(error) : failure
      tellFailedAct(refused ? said(refused.message) : description, error)
      return false
    }
  }

  function draw(): void {
    $changed.set(waiting.reduce((data, { show }) => show?.(data) ?? data, storedData))
  }

  return { $resource, $changed, change }
}

/** Tells an administrator that something was not done; a session that is over has its own cure. */
export function tellFailedAct(description: string, error: unknown): void {
  if (!(error instanceof ResponseError) || error.status !== 401) {
    addErrorToast(description)
    return
  }
  addToast({
    title: t('Error'),
    description: `${description.replace(/\.$/, '')}. ${t('You are no longer signed in.')}`,
    variant: 'destructive',
    action: { label: t('Sign in'), altText: t('Sign in again'), onPress: () => location.assign('/admin') },
  })
}

/** The fields of `given` that are not as in `known`. */
export function differing<Fields extends object>(given: Fields, known: object): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Reflect.get(known, name) !== value),
  ) as Partial<Fields>
}
