import { t } from '#site/texts/texts.ts'
import { createResource } from './resource.ts'
import { addErrorToast } from './toasts.ts'

/** The newest responses, of one service or of all. */
export function newestRsvps(limit: number, week: string | undefined) {
  return createResource(`/api/rsvps?limit=${limit}${week ? `&week=${week}` : ''}`, tellFailure)
}

function tellFailure(): void {
  addErrorToast(t('Failed to load responses'))
}
