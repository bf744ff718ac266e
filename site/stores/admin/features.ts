import { atom } from 'nanostores'
import type { FeatureName, Features } from '#db/feature/schema.ts'
import { request } from '#site/lib/request.ts'
import { tellFailedAct } from '#site/stores/failed-act.ts'
import { addToast } from '#site/stores/toasts.ts'
import { optimistic } from './optimistic.ts'

/** The switches as they were last set on this page; undefined until one is pressed. */
export const $features = atom<Features | undefined>(undefined)

const change = optimistic($features)

/** Switches a feature at once and sends it; goes back where that fails. */
export function changeFeature(current: Features, name: FeatureName, enabled: boolean): Promise<void> {
  return change(current, { ...current, [name]: enabled }, async (stored) => {
    try {
      const response = await request('/api/features', { method: 'PATCH', body: { [name]: enabled } })
      // It is not read: a request that is never read to its end counts as under way.
      response.body?.cancel()
      addToast({ title: 'Features Updated', description: 'Feature settings have been saved successfully.' })
      return { ...stored, [name]: enabled }
    } catch (error) {
      tellFailedAct('Failed to update features', error)
      return undefined
    }
  })
}
