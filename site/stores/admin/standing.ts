import type { StandingHousehold } from '#db/standing/schema.ts'
import { request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import { t } from '#site/texts/texts.ts'
import { tellFailedAct } from './changeable.ts'
import { reasonOr } from './reason.ts'
import { reloadWithToast } from './stored-rsvps.ts'

export const $standing = createResource('/api/standing', (error) =>
  tellFailedAct(t('The households could not be loaded.'), error),
)

/** Reloads the page: responses of the weeks ahead are gone. */
export async function endStanding({ id, name }: StandingHousehold): Promise<void> {
  try {
    await request(`DELETE /api/standing/${id}`)
    const description = t('{name} is no longer expected every week.', { name })
    reloadWithToast({ title: t('“Every week” Ended'), description }, '.standing summary')
  } catch (error) {
    tellFailedAct(reasonOr(t('It could not be ended. Please try again.'))(error), error)
  }
}
