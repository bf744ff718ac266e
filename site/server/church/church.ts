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
import { pictureAddress, previewAddress } from '#site/lib/links.ts'
import { ifReadable } from '#site/server/log.ts'
import tokens from '#site/styles/tokens.css?raw'

type Scheme = 'light' | 'dark'

/** WCAG 2.2, success criterion 1.4.3, with a margin for rounding. Outlines need only 3. */
const CONTRAST_MINIMUM = 4.6
/** Of lightness in OKLCH, from 0 to 1: too small to be seen. */
const STEP = 0.004
const STRONGER = 0.09
/** The lightness and maximum chroma (`c`) of the default accent. */
const tints = { light: { l: 0.952, c: 0.014 }, dark: { l: 0.29, c: 0.026 } }
/** Colors that suit light paper are too dark or too saturated on dark backgrounds. */
const start = { light: { lowest: 0, c: 1 }, dark: { lowest: 0.78, c: 0.11 } }

/** The backgrounds of texts in the accent. */
const grounds = ['paper', 'glow', 'surface', 'well', 'shade', 'gray', 'yes-tint', 'no-tint', 'notice-tint', 'on-fill']

registerMode(modeRgb)
registerMode(modeLrgb)

const toOklch = registerMode(modeOklch)

/** What a style sheet of its own sets; null where the church has chosen nothing. */
export type Look = {
  /** E.g. `#6a3460`. */
  accent: string | null
  /** Of its picture, e.g. `50,25`. */
  focus: string | null
}

/**
 * What to show of the church; null for what is missing or cannot be read now. Read before a page is rendered: all parts
 * of the page find it in `Astro.locals`.
 */
export async function loadChurch(call: Call) {
  const church = await ifReadable(getChurch(call))
  return {
    name: church?.name ?? null,
    ...shownLook({ accent: church?.accent ?? null, focus: church?.picture ? church.pictureFocus : null }),
    picture: church?.picture ? shownPicture(church.picture, church.pictureAlt ?? '') : null,
    /** The address of the picture that chats show beside the link. */
    preview: previewAddress(church ?? { picture: null, pictureFocus: null }),
  }
}

function shownLook(look: Look) {
  const { accent, focus } = look
  const styles = lookStyles(look)
  return {
    /** The colors of both schemes. */
    accent: accent === null ? null : accentColors(accent),
    focus,
    /** The address of a style sheet that sets both. */
    stylesheet: styles === '' ? null : lookAddress(look, styles),
  }
}

/**
 * The colors for a chosen accent: of its hue, and of its lightness unless that is illegible on the site's backgrounds.
 * @param chosen e.g. `#ffcc00`.
 * @internal Exported for its test.
 */
export function accentColors(chosen: string) {
  const color = toOklch(chosen)
  if (color === undefined) throw new Error('The accent is not a color.')
  return { light: ofScheme(color, 'light'), dark: ofScheme(color, 'dark') }
}

export function lookStyles({ accent, focus }: Look): string {
  return (accent === null ? '' : accentStyles(accent)) + (focus === null ? '' : focusStyles(focus))
}

/** More specific than the tokens, because it may come before them. Paper is always light. */
function accentStyles(chosen: string): string {
  const { light, dark } = accentColors(chosen)
  return `@layer tokens{${rootOf(light)}@media screen and (prefers-color-scheme:dark){${rootOf(dark)}}}`
}

/** In no layer: naming one here would change their order. */
function focusStyles(focus: string): string {
  return `:is(.cover,.poster__cover)>img{object-position:${focus.replace(',', '% ')}%}`
}

/** The hash also changes with the version of the site that computes the styles. */
export function lookAddress({ accent, focus }: Look, styles: string): string {
  const hash = createHash('sha256').update(styles).digest('hex').slice(0, 16)
  const parts = [accent?.slice(1), focus?.replace(',', 'x'), hash]
  return `/church/${parts.filter((part) => part !== undefined).join('-')}.css`
}

/** The attributes of an `<img>` for the largest stored size. */
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
    /** The same under the pointer. */
    strong: hexOf(stronger(accent, below, away)),
    /** Behind texts. */
    tint,
    onFill: tokenOf('on-fill', scheme),
  }
}

/** The nearest legible color, darker or lighter; in the end black or white. */
function readable(color: Oklch, below: string[], away: -1 | 1): Oklch {
  const hex = hexOf(color)
  const isReadable = below.every((ground) => wcagContrast(hex, ground) >= CONTRAST_MINIMUM)
  if (color.l < 0 || color.l > 1 || isReadable) return color
  return readable({ ...color, l: color.l + away * STEP }, below, away)
}

/** With more contrast to its background; with less if more is impossible. */
function stronger(accent: Oklch, below: string[], away: -1 | 1): Oklch {
  const further = accent.l + away * STRONGER
  if (further >= 0 && further <= 1) return { ...accent, l: further }
  return readable({ ...accent, l: accent.l - away * 2 * STRONGER }, below, away)
}

/** Reduces the chroma to what screens can show. */
function hexOf(color: Oklch): string {
  return formatHex(clampChroma(color, 'oklch'))
}

/** The value of a style token in a color scheme. */
function tokenOf(name: string, scheme: Scheme): string {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(tokens) ?? []
  const color = scheme === 'light' ? light : dark
  if (color === undefined) throw new Error(`The styles have no color --${name}.`)
  return color
}

function rootOf({ accent, strong, tint }: ReturnType<typeof ofScheme>): string {
  return `:root:root{--accent:${accent};--accent-strong:${strong};--accent-tint:${tint}}`
}
