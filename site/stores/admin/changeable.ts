import { atom } from 'nanostores'
import { ResponseError } from '#site/lib/request.ts'
import { tellFailedAct } from '../failed-act.ts'
import type { Resource } from '../resource.ts'
import { addToast, type Notice } from '../toasts.ts'
import { createQueue } from './queue.ts'

export type Changeable<Data> = ReturnType<typeof makeChangeable<Data>>

type Change<Data> = {
  /** What is shown until the server has replied; without it nothing changes before that. */
  show?: (shown: Data) => Data
  /** Sends the change; gives what is stored then, made of what was stored before. */
  send: (stored: Data) => Promise<Data>
  stored: Notice
  failed: string
}

/**
 * Lets this page change a resource. What is shown is what the server last said, and on top of it every change that is
 * still to be sent: one that fails goes away again and takes no other with it.
 */
export function makeChangeable<Data>($resource: Resource<Data>) {
  /** As it was last changed on this page; undefined until it is. */
  const $changed = atom<Data | undefined>(undefined)
  const enqueue = createQueue()
  const waiting: Change<Data>[] = []
  let last: Data

  /**
   * @param current what is shown, where nothing was changed yet.
   * @returns whether it is stored; the notice says it too.
   */
  function change(current: Data, made: Change<Data>): Promise<boolean> {
    if (waiting.length === 0) last = $changed.get() ?? current
    waiting.push(made)
    if (made.show) draw()
    return enqueue(async () => {
      const isStored = await send(made)
      waiting.shift()
      draw()
      return isStored
    })
  }

  async function send({ send, stored, failed }: Change<Data>): Promise<boolean> {
    try {
      last = await send(last)
      addToast(stored)
      return true
    } catch (error) {
      const [explained] = error instanceof ResponseError ? error.fields : []
      tellFailedAct(explained?.message ?? failed, error)
      return false
    }
  }

  function draw(): void {
    $changed.set(waiting.reduce((data, { show }) => show?.(data) ?? data, last))
  }

  return { $resource, $changed, change }
}
