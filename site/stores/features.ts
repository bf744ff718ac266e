import { atom } from 'nanostores'
import type { FeatureName, Features } from '#db/feature/schema.ts'
import { request } from '#site/lib/request.ts'
import { tellFailedAct } from './failed-act.ts'
import { createQuery } from './query.ts'
import { addToast } from './toasts.ts'

export const $featuresQuery = createQuery<Features>('/api/features', 'Failed to load settings')

/** The switches as they were last set on this page; undefined until one is pressed. */
export const $features = atom<Features | undefined>(undefined)

/** Switches a feature at once and sends it; goes back where that fails. */
export async function changeFeature(current: Features, name: FeatureName, enabled: boolean): Promise<void> {
  $features.set({ ...current, [name]: enabled })
  try {
    const response = await request('/api/features', { method: 'PATCH', body: { [name]: enabled } })
    const stored: Features = await response.json()
    // Only this one: another switch may have been pressed meanwhile.
    $features.set({ ...($features.get() ?? current), [name]: stored[name] })
    addToast({ title: 'Features Updated', description: 'Feature settings have been saved successfully.' })
  } catch (error) {
    $features.set({ ...($features.get() ?? current), [name]: !enabled })
    tellFailedAct('Failed to update features', error)
  }
}
