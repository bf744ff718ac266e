import type { Church, ChurchTexts } from '#db/church/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { createResource } from '../resource.ts'
import { makeChangeable } from './changeable.ts'
import { tellFailedAct } from './failed-act.ts'

/** What people recognize the church by, to be changed on this page. */
export const church = makeChangeable(
  createResource('/api/church', (error) => tellFailedAct('Failed to load what is said of the church', error)),
)

/** Sends what was changed of the name, the accent and the description of the picture. */
export function changeChurch(current: Church, change: Partial<ChurchTexts>): Promise<boolean> {
  return church.change(current, {
    send: async () => (await request('PATCH /api/church', { body: change })).json(),
    notice: {
      title: 'Church Saved',
      description: 'Pages show it from now on. Reload this one to see a new color here.',
    },
    failure: 'Failed to save it',
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
    notice: { title: 'Picture Saved', description: 'Pages show it from now on. Say below what it shows.' },
    failure: (error) =>
      (error instanceof ResponseError && error.detail) || 'The picture could not be sent. Please try again.',
  })
}

/** Removes the picture, with its description. */
export function removePicture(current: Church): Promise<boolean> {
  return church.change(current, {
    send: async () => (await request('DELETE /api/church/picture')).json(),
    notice: { title: 'Picture Removed', description: 'Pages show none any more.' },
    failure: 'Failed to remove the picture',
  })
}
