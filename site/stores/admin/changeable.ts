import { useStore } from '@nanostores/react'
import { atom, type WritableAtom } from 'nanostores'
import pLimit from 'p-limit'
import type { ReadPath } from '#site/calls.ts'
import { useResource } from '#site/lib/hooks.ts'
import { createResource, type ReplyAt, type Resource } from '#site/stores/resources.ts'
import { addToast, type Notice } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { attempt, type OnFailure, showFailure } from './attempt.ts'

export type Changeable<Data> = {
  $resource: Resource<Data>
  /** The resource as this page has read it again; undefined until it has changed something. */
  $changed: WritableAtom<Data | undefined>
}

/** Like `useResource`, but with the changes made on this page. */
export function useChangeable<Data>(
  initial: Data | undefined,
  { $resource, $changed }: Changeable<Data>,
  enabled = true,
) {
  const changed = useStore($changed)
  const reading = useResource(initial, $resource, enabled)
  return changed === undefined ? reading : { ...reading, data: changed }
}

type Change<Data, Result> = OnFailure & {
  /** What is shown until the server has replied. */
  shown?: Data
  /** Left out where the page itself shows what has changed. */
  notice?: Notice | ((result: Result) => Notice)
}

/** A resource at a path, which this page changes: after each act it is read again, as an act may change other parts too. */
export function changeableAt<Path extends ReadPath>(path: Path) {
  const $resource = createResource(path, (error) => showFailure(t('Failed to load settings'), error))
  const $changed = atom<ReplyAt<Path> | undefined>()
  // One at a time, so that the last change is stored last.
  const enqueue = pLimit(1)
  let waiting = 0
  /** What the server has, as far as it is known. */
  let stored: ReplyAt<Path> | undefined

  /** @param known what is stored by now, in case it cannot be read. */
  async function refresh(known = stored): Promise<void> {
    await $resource.reload()
    stored = $resource.get().data ?? known
    // Changes that still wait are shown already.
    if (waiting === 0) $changed.set(stored)
  }

  /** @returns whether it was done, after a notice that shows so, or why not. */
  async function change<Result>(
    act: () => Promise<Result>,
    { shown, notice, ...onFailure }: Change<ReplyAt<Path>, Result>,
  ): Promise<boolean> {
    waiting += 1
    if (shown) $changed.set(shown)
    return enqueue(async () => {
      const result = await attempt(act, onFailure)
      waiting -= 1
      if (result !== undefined) await refresh(shown)
      else if (waiting === 0) $changed.set(stored)
      if (result !== undefined && notice) addToast(typeof notice === 'function' ? notice(result) : notice)
      return result !== undefined
    })
  }

  return { $resource, $changed, change, refresh }
}

/** The fields of `given` that differ from those of `known`. */
export function differing<Fields extends object>(given: Fields, known: object): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => Reflect.get(known, name) !== value),
  ) as Partial<Fields>
}
