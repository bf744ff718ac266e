import { atom } from 'nanostores'
import type { PublicNames, Settings } from '#db/settings/schema.ts'
import { request } from '#site/lib/request.ts'
import { tellFailedAct } from '../failed-act.ts'
import { createQuery } from '../query.ts'
import { addToast } from '../toasts.ts'

export const $settingsQuery = createQuery<Settings>('/api/settings', 'Failed to load settings')

/** The settings as they were last changed on this page; undefined until one is. */
export const $settings = atom<Settings | undefined>(undefined)

let sending = Promise.resolve()
let choices = 0

/**
 * Chooses at once what everybody sees of those who answered, and sends it; goes back where that fails. One choice is sent
 * after the other, so that the last one made is the last one stored, and shown.
 */
export function changePublicNames(current: Settings, chosen: PublicNames): Promise<void> {
  choices += 1
  const choice = choices
  $settings.set({ ...current, publicNames: chosen })
  sending = sending.then(() => send(current, chosen, () => choice === choices))
  return sending
}

async function send(before: Settings, publicNames: PublicNames, isLast: () => boolean): Promise<void> {
  try {
    const response = await request('/api/settings', { method: 'PATCH', body: { publicNames } })
    const stored: Settings = await response.json()
    if (isLast()) $settings.set(stored)
    addToast({ title: 'Settings Updated', description: 'The public list has been changed.' })
  } catch (error) {
    if (isLast()) $settings.set(before)
    tellFailedAct('Failed to update settings', error)
  }
}
