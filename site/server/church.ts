import { getChurch } from '#db/church.ts'
import { type ChurchPicture, usualAccent } from '#db/values/church.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { ifReadable } from '#site/server/log.ts'

/** What pages show of the church; null for what is missing or cannot be read now. The middleware stores it in `locals`. */
export async function loadChurch() {
  const church = await ifReadable(getChurch())
  return {
    name: church?.name ?? null,
    accent: church?.accent ?? usualAccent,
    picture: church?.picture ? shownPicture(church.picture, church.pictureAlt ?? '') : null,
  }
}

/** The attributes of an `<img>` for the largest stored size. */
function shownPicture({ hash, sizes }: ChurchPicture, alt: string) {
  const largest = sizes.at(-1)
  if (largest === undefined) return null
  const srcset = sizes.map(({ width }) => `${pictureAddress(hash, width)} ${width}w`).join(', ')
  return { src: pictureAddress(hash, largest.width), srcset, ...largest, alt }
}
