import { useStore } from '@nanostores/react'
import type { Changeable } from '#site/stores/admin/changeable.ts'
import type { Reading } from '#site/stores/resource.ts'
import { useResource } from './use-resource.ts'

/**
 * Returns a resource as it was last changed on this page, or else as `useResource` does.
 * @param initial null if the server sent nothing.
 */
export function useChangeable<Data>(initial: Data | null, { $resource, $changed }: Changeable<Data>): Reading<Data> {
  const changed = useStore($changed)
  const reading = useResource(initial, $resource)
  return changed === undefined ? reading : { data: changed, loading: false }
}
