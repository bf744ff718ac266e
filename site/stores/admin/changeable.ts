import { atom } from 'nanostores'
import pLimit from 'p-limit'
import { ResponseError } from '#site/lib/request.ts'
import type { Resource } from '#site/stores/resources.ts'
import { addErrorToast, addToast, type Notice } from '#site/stores/toasts.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { ProofCanceledError } from './proof.ts'
import { reasonInDialogOr } from './reason.ts'

export type Changeable<Data> = ReturnType<typeof makeChangeable<Data>>

type Change<Data, Stored extends Data> = {
  /** What is shown until the server replies; without it nothing changes before that. */
  show?: (shown: Data) => Data
  /** Sends the change. Returns the new stored state, made from the previous one. */
  send: (stored: Data) => Promise<Stored>
  /** Left out where the page itself shows what has changed. */
  notice?: Notice | ((stored: Stored) => Notice)
  failure: string | ((error: unknown) => string)
  /** Says beside its field why the server refuses it; without this a notice does. */
  refuse?: Refuse | undefined
  /** Says any other failure; without this a notice does. */
  tell?: typeof tellFailedAct | undefined
}

/** Takes the reason why the server refuses a field. */
export type Refuse = (reason: string, field: string) => void

/**
 * Lets this page change a resource. It shows the last state of the server with all pending changes on top, so that one
 * that fails is rolled back alone.
 */
export function makeChangeable<Data>($resource: Resource<Data>) {
  /** The resource with the changes of this page; undefined until there was one. */
  const $changed = atom<Data | undefined>(undefined)
  // One at a time, so that the last change is stored last.
  const enqueue = pLimit(1)
  const waiting: Pick<Change<Data, Data>, 'show'>[] = []
  let storedData: Data

  /**
   * @param current shown until there is a change.
   * @returns whether it was stored; a notice has said so, or why not.
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

  async function store<Stored extends Data>({ send, notice, failure, ...to }: Change<Data, Stored>): Promise<boolean> {
    try {
      const stored = await send(storedData)
      storedData = stored
      if (notice) addToast(typeof notice === 'function' ? notice(stored) : notice)
      return true
    } catch (error) {
      const [refused] = error instanceof ResponseError ? error.fields : []
      const description = typeof failure === 'function' ? failure(error) : failure
      const { refuse, tell = tellFailedAct } = to
      if (refused && refuse) refuse(said(refused.message), refused.path)
      else tell(refused ? said(refused.message) : description, error)
      return false
    }
  }

  function draw(): void {
    $changed.set(waiting.reduce((data, { show }) => show?.(data) ?? data, storedData))
  }

  return { $resource, $changed, change }
}

/** Says that an action failed, unless the person canceled it; if the session has ended, offers to sign in again. */
export function tellFailedAct(description: string, error: unknown): void {
  if (error instanceof ProofCanceledError) return
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

/** For `tell`: a dialog covers notices, so its form says beside its buttons what failed. */
export function tellInForm(refuse: Refuse): typeof tellFailedAct {
  return (description, error) => {
    if (!(error instanceof ProofCanceledError)) refuse(reasonInDialogOr(description)(error), 'form')
  }
}

/** The fields of `given` that differ from those of `known`. */
export function differing<Fields extends object>(given: Fields, known: object): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Reflect.get(known, name) !== value),
  ) as Partial<Fields>
}
