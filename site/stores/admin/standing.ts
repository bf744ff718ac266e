import type { StandingHousehold } from '#db/standing/schema.ts'
import { reloadWith } from '#site/lib/after-reload.ts'
import { request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import type { Notice } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { attempt, tellFailedAct } from './attempt.ts'

export const $standing = createResource('/api/standing', (error) =>
  tellFailedAct(t('The households could not be loaded.'), error),
)

export async function endStanding({ id, name }: StandingHousehold): Promise<void> {
  const description = t('{name} is no longer expected every week.', { name })
  await change(id, false, { title: t('“Every week” Ended'), description })
}

/** The household has said so, e.g. by telephone. */
export async function keepStanding({ id, name }: StandingHousehold): Promise<void> {
  const description = t('{name} is expected every week for another year.', { name })
  await change(id, true, { title: t('Still comes'), description })
}

/** Reloads the page: what it says of the weeks ahead has changed. */
async function change(id: number, comes: boolean, notice: Notice): Promise<void> {
  const act = async () => {
    await request(`PATCH /api/standing/${id}`, { body: { comes } })
    reloadWith({ focus: '.standing summary', notice })
  }
  await attempt(act, { failure: t('The site could not save it. Please try again.') })
}
