import { createHash } from 'node:crypto'
import {
  clampChroma,
  formatHex,
  modeLrgb,
  modeOklch,
  modeRgb,
  type Oklch,
  useMode as registerMode,
  wcagContrast,
} from 'culori/fn'
import { getChurch } from '#db/church/operations.ts'
import type { ChurchPicture } from '#db/church/schema.ts'
import type { Call } from '#db/operation.ts'
import { pictureAddress } from '#site/lib/links.ts'
import { ifReadable } from '#site/server/log.ts'
import tokens from '#site/styles/tokens.css?raw'

export type ShownChurch = Awaited<ReturnType<typeof loadChurch>>

type Scheme = 'light' | 'dark'

/** WCAG 2.2, success criterion 1.4.3, with a little more for what rounding takes away. Outlines need only 3. */
const CONTRAST_MINIMUM = 4.6
/** Lightness in OKLCH is from 0 to 1. A step cannot be seen. */
const STEP = 0.004
const STRONGER = 0.09
/** As those of the usual accent are, where `c` is how colorful it is at most. */
const tints = { light: { l: 0.952, c: 0.014 }, dark: { l: 0.29, c: 0.026 } }
/** In the dark a color glares that is dark enough for paper, or as colorful. */
const start = { light: { lowest: 0, c: 1 }, dark: { lowest: 0.78, c: 0.11 } }

/** Everything that a text of the accent may stand on. */
const grounds = ['paper', 'glow', 'surface', 'well', 'shade', 'gray', 'yes-tint', 'no-tint', 'notice-tint', 'on-fill']

registerMode(modeRgb)
registerMode(modeLrgb)

const toOklch = registerMode(modeOklch)

/**
 * What to show of the church; each is null where there is none, or it cannot be read at the moment. It is read before a page
 * is drawn: all parts of the page find it in `Astro.locals`.
 */
export async function loadChurch(call: Call) {
  const church = await ifReadable(getChurch(call))
  const accent = church?.accent
  return {
    name: church?.name ?? null,
    /** The colors of both schemes, and the address of a style sheet that sets them. */
    accent: accent ? { ...accentColors(accent), stylesheet: accentAddress(accent, accentStyles(accent)) } : null,
    picture: church?.picture ? shownPicture(church.picture, church.pictureAlt ?? '') : null,
  }
}

/**
 * The colors that are drawn for an accent that a church chose: of its hue, and as light or dark as it, unless that could not
 * be read on what the site draws below it.
 * @param chosen e.g. `#ffcc00`.
 * @internal Exported for its test.
 */
export function accentColors(chosen: string) {
  const color = toOklch(chosen)
  if (color === undefined) throw new Error('The accent is not a color.')
  return { light: ofScheme(color, 'light'), dark: ofScheme(color, 'dark') }
}

/**
 * A style sheet with these colors. More specific than the tokens, because it may come before them; paper is always light.
 */
export function accentStyles(chosen: string): string {
  const { light, dark } = accentColors(chosen)
  return `@layer tokens{${rootOf(light)}@media screen and (prefers-color-scheme:dark){${rootOf(dark)}}}`
}

/** Of the styles of an accent. They differ by the accent, and by the version of the site that computes them. */
export function accentAddress(accent: string, styles: string): string {
  const hash = createHash('sha256').update(styles).digest('hex').slice(0, 16)
  return `/church/${accent.slice(1)}-${hash}.css`
}

/** The attributes of an `<img>`, as large as the picture is kept. */
function shownPicture({ hash, sizes }: ChurchPicture, alt: string) {
  const largest = sizes.at(-1)
  if (largest === undefined) return null
  const srcset = sizes.map(({ width }) => `${pictureAddress(hash, width)} ${width}w`).join(', ')
  return { src: pictureAddress(hash, largest.width), srcset, ...largest, alt }
}

/** The accent as one color scheme shows it, e.g. `#6a3460`. */
function ofScheme(color: Oklch, scheme: Scheme) {
  const tint = hexOf({ ...color, ...tints[scheme], c: Math.min(color.c, tints[scheme].c) })
  const below = [tint, ...grounds.map((name) => tokenOf(name, scheme))]
  const away = scheme === 'light' ? -1 : 1
  const { lowest, c } = start[scheme]
  const first = { ...color, l: Math.min(1, Math.max(lowest, color.l)), c: Math.min(color.c, c) }
  const accent = readable(first, below, away)
  return {
    /** For texts, for outlines, and for fills under a text of the color `onFill`. */
    accent: hexOf(accent),
    /** The same where the pointer is. */
    strong: hexOf(stronger(accent, below, away)),
    /** Behind texts. */
    tint,
    onFill: tokenOf('on-fill', scheme),
  }
}

/** The nearest color that can be read, darker or lighter. At the end black and white can. */
function readable(color: Oklch, below: string[], away: -1 | 1): Oklch {
  const hex = hexOf(color)
  const isReadable = below.every((ground) => wcagContrast(hex, ground) >= CONTRAST_MINIMUM)
  if (color.l < 0 || color.l > 1 || isReadable) return color
  return readable({ ...color, l: color.l + away * STEP }, below, away)
}

/** Further away from what is below it; where there is no further, nearer to it. */
function stronger(accent: Oklch, below: string[], away: -1 | 1): Oklch {
  const further = accent.l + away * STRONGER
  if (further >= 0 && further <= 1) return { ...accent, l: further }
  return readable({ ...accent, l: accent.l - away * 2 * STRONGER }, below, away)
}

/** The color of that lightness and hue that screens can show. */
function hexOf(color: Oklch): string {
  return formatHex(clampChroma(color, 'oklch'))
}

/** What a token of the styles is in a color scheme. */
function tokenOf(name: string, scheme: Scheme): string {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(tokens) ?? []
  const color = scheme === 'light' ? light : dark
  if (color === undefined) throw new Error(`The styles have no color --${name}.`)
  return color
}

function rootOf({ accent, strong, tint }: ReturnType<typeof ofScheme>): string {
  return `:root:root{--accent:${accent};--accent-strong:${strong};--accent-tint:${tint}}`
}
