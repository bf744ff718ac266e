import { atom } from 'nanostores'
import type { PublicNames, Settings } from '#db/settings/schema.ts'
import { request } from '#site/lib/request.ts'
import { tellFailedAct } from '#site/stores/failed-act.ts'
import { createQuery } from '#site/stores/query.ts'
import { addToast } from '#site/stores/toasts.ts'
import { optimistic } from './optimistic.ts'

export const $settingsQuery = createQuery<Settings>('/api/settings', 'Failed to load settings')

/** The settings as they were last changed on this page; undefined until one is. */
export const $settings = atom<Settings | undefined>(undefined)

const change = optimistic($settings)

/** Chooses at once what everybody sees of those who answered, and sends it; goes back where that fails. */
export function changePublicNames(current: Settings, publicNames: PublicNames): Promise<void> {
  return change(current, { ...current, publicNames }, async () => {
    try {
      const response = await request('/api/settings', { method: 'PATCH', body: { publicNames } })
      const stored: Settings = await response.json()
      addToast({ title: 'Settings Updated', description: 'The public list has been changed.' })
      return stored
    } catch (error) {
      tellFailedAct('Failed to update settings', error)
      return undefined
    }
  })
}
