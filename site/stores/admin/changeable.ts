import { atom } from 'nanostores'
import pLimit from 'p-limit'
import type { ReadPath } from '#site/call-types.ts'
import { ResponseError } from '#site/lib/request.ts'
import { createResource, type Resource } from '#site/stores/resources.ts'
import { addErrorToast, addToast, type Notice } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { ProofCanceledError } from './proof.ts'
import { reasonInDialogOr } from './reason.ts'

export type Changeable<Data> = ReturnType<typeof makeChangeable<Data>>

/** How a page says that a call failed. */
export type Telling = {
  failure: string | ((error: unknown) => string)
  /** Says beside its field why the server refuses it; without this a notice does. */
  refuse?: Refuse | undefined
  /** A dialog covers notices, so its form says any other failure as well: `refuse` gets it for the field `form`. */
  inDialog?: boolean
}

type Change<Data, Stored extends Data> = Telling & {
  /** What is shown until the server replies; without it nothing changes before that. */
  show?: (shown: Data) => Data
  /** Sends the change. Returns the new stored state, made from the previous one. */
  send: (stored: Data) => Promise<Stored>
  /** Left out where the page itself shows what has changed. */
  notice?: Notice | ((stored: Stored) => Notice)
}

/** Takes the reason why the server refuses a field; is called for each of them. */
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

  async function store<Stored extends Data>({ send, notice, ...telling }: Change<Data, Stored>): Promise<boolean> {
    const stored = await attempt(() => send(storedData), telling)
    if (stored === undefined) return false
    storedData = stored
    if (notice) addToast(typeof notice === 'function' ? notice(stored) : notice)
    return true
  }

  function draw(): void {
    $changed.set(waiting.reduce((data, { show }) => show?.(data) ?? data, storedData))
  }

  return { $resource, $changed, change }
}

/** A resource at a path, which this page can change. */
export function changeableAt<Path extends ReadPath>(path: Path) {
  return makeChangeable(createResource(path, (error) => tellFailedAct(t('Failed to load settings'), error)))
}

/** @returns what the act returns; undefined if it failed, which has been said. */
export async function attempt<Result>(
  act: () => Promise<Result>,
  { failure, refuse, inDialog = false }: Telling,
): Promise<Result | undefined> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ProofCanceledError) return undefined
    const otherwise = typeof failure === 'function' ? failure(error) : failure
    const refused = error instanceof ResponseError ? error.fields : []
    const reason = refused[0]?.message ?? otherwise
    if (refuse && refused.length > 0) for (const { message, path } of refused) refuse(message, path)
    else if (refuse && inDialog) refuse(reasonInDialogOr(otherwise)(error), 'form')
    else tellFailedAct(reason, error)
    return undefined
  }
}

/** Says that an action failed; if the session has ended, offers to sign in again. */
export function tellFailedAct(description: string, error: unknown): void {
  if (!(error instanceof ResponseError) || error.status !== 401) {
    addErrorToast(description)
    return
  }
  addToast({
    title: t('Error'),
    description: `${description.replace(/\.$/, '')}. ${t('You are no longer signed in.')}`,
    variant: 'destructive',
    action: { label: t('Sign in'), altText: t('Sign in again'), onPress: openSignIn },
  })
}

/** At the same address, so that whoever signs in is back at the same section. */
function openSignIn(): void {
  if (location.pathname === '/admin') location.reload()
  else location.assign('/admin')
}

/** The fields of `given` that differ from those of `known`. */
export function differing<Fields extends object>(given: Fields, known: object): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Reflect.get(known, name) !== value),
  ) as Partial<Fields>
}
