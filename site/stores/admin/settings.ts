import type { PublicNames, Settings } from '#db/settings/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { createResource } from '../resource.ts'
import { makeChangeable } from './changeable.ts'
import { tellFailedAct } from './failed-act.ts'

/** The settings, to be changed on this page. */
export const settings = makeChangeable(
  createResource('/api/settings', (error) => tellFailedAct(t('Failed to load settings'), error)),
)

/** Shows the new choice of public names at once and sends it; reverts it if that fails. */
export function changePublicNames(current: Settings, publicNames: PublicNames): Promise<boolean> {
  return settings.change(current, {
    show: (shown) => ({ ...shown, publicNames }),
    send: async () => (await request('PATCH /api/settings', { body: { publicNames } })).json(),
    notice: { title: t('Settings Updated'), description: t('The public list has been changed.') },
    failure: t('Failed to update settings'),
  })
}
