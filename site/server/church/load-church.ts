import { getChurch } from '#db/church/operations.ts'
import type { ChurchPicture } from '#db/church/schema.ts'
import type { Call } from '#db/operation.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { orNull } from '#site/server/or-null.ts'
import { type Accent, accentColors, accentStyles } from './accent.ts'
import { accentAddress } from './accent-address.ts'

/** What pages show of the church. Each is null where there is none, or it cannot be read at the moment. */
export type ShownChurch = {
  name: string | null
  /** The colors of both schemes, and the address of a style sheet that sets them. */
  accent: (Accent & { stylesheet: string }) | null
  picture: ShownPicture | null
}

/** The attributes of an `<img>`, as large as the picture is kept. */
type ShownPicture = { src: string; srcset: string; width: number; height: number; alt: string }

type ShownAccent = ShownChurch['accent']

const NOTHING: ShownChurch = { name: null, accent: null, picture: null }

/** The same for each accent, and half a millisecond to compute. */
let computed: { accent: string; shown: ShownAccent } | undefined

/** What to show of the church. It is read before a page is drawn: all parts of the page find it in `Astro.locals`. */
export async function loadChurch(call: Call): Promise<ShownChurch> {
  const church = (await orNull(getChurch(call)))?.read
  if (church === undefined) return NOTHING
  return {
    name: church.name,
    accent: church.accent === null ? null : shownAccent(church.accent),
    picture: church.picture && shownPicture(church.picture, church.pictureAlt ?? ''),
  }
}

function shownAccent(accent: string): ShownAccent {
  if (computed?.accent !== accent) {
    const stylesheet = accentAddress(accent, accentStyles(accent))
    computed = { accent, shown: { ...accentColors(accent), stylesheet } }
  }
  return computed.shown
}

function shownPicture({ hash, sizes }: ChurchPicture, alt: string): ShownPicture | null {
  const largest = sizes.at(-1)
  if (largest === undefined) return null
  const srcset = sizes.map(({ width }) => `${pictureAddress(hash, width)} ${width}w`).join(', ')
  return { src: pictureAddress(hash, largest.width), srcset, ...largest, alt }
}
