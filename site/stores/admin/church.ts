import type { Church, ChurchTexts } from '#db/church/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { createResource } from '../resource.ts'
import { makeChangeable } from './changeable.ts'
import { tellFailedAct } from './failed-act.ts'

/** What people recognize the church by, to be changed on this page. */
export const church = makeChangeable(
  createResource('/api/church', (error) => tellFailedAct(t('Failed to load what is said of the church'), error)),
)

/** Sends what was changed of the name, the accent and the description of the picture. */
export function changeChurch(current: Church, change: Partial<ChurchTexts>): Promise<boolean> {
  return church.change(current, {
    send: async () => (await request('PATCH /api/church', { body: change })).json(),
    notice: {
      title: t('Church Saved'),
      description: t('Pages show it from now on. Reload this one to see a new color here.'),
    },
    failure: t('Failed to save it'),
  })
}

/** Sends a picture, made smaller here where it is large. */
export function changePicture(current: Church, file: Blob): Promise<boolean> {
  return church.change(current, {
    send: async () => {
      // Only who uploads a picture needs the code for it.
      const { smallerPicture } = await import('#site/lib/smaller-picture.ts')
      return (await request('PUT /api/church/picture', { upload: await smallerPicture(file) })).json()
    },
    notice: { title: t('Picture Saved'), description: t('Pages show it from now on. Say below what it shows.') },
    failure: (error) =>
      error instanceof ResponseError && error.detail
        ? said(error.detail)
        : t('The picture could not be sent. Please try again.'),
  })
}

/** Removes the picture, with its description. */
export function removePicture(current: Church): Promise<boolean> {
  return church.change(current, {
    send: async () => (await request('DELETE /api/church/picture')).json(),
    notice: { title: t('Picture Removed'), description: t('Pages show none any more.') },
    failure: t('Failed to remove the picture'),
  })
}
