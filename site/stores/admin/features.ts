import type { FeatureName, Features } from '#db/feature/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { $features } from '../features.ts'
import { makeChangeable } from './changeable.ts'

/** The switches, to be set on this page. */
export const features = makeChangeable($features)

/** Switches a feature at once and sends it; goes back where that fails. */
export function changeFeature(current: Features, name: FeatureName, enabled: boolean): Promise<boolean> {
  const switched = (shown: Features) => ({ ...shown, [name]: enabled })
  return features.change(current, {
    show: switched,
    send: async (stored) => {
      const response = await request('PATCH /api/features', { body: { [name]: enabled } })
      // It is not read: a request that is never read to its end counts as under way.
      response.body?.cancel()
      return switched(stored)
    },
    notice: { title: t('Features Updated'), description: t('Feature settings have been saved successfully.') },
    failure: t('Failed to update features'),
  })
}
