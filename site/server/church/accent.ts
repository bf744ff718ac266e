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
import tokens from '#site/styles/tokens.css?raw'

/** The accent as one color scheme shows it, e.g. `#6a3460`. */
type SchemeAccent = {
  /** For texts, for outlines, and for fills under a text of the color `onFill`. */
  accent: string
  /** The same where the pointer is. */
  strong: string
  /** Behind texts. */
  tint: string
  onFill: string
}
export type Accent = { light: SchemeAccent; dark: SchemeAccent }

const schemes = ['light', 'dark'] as const
type Scheme = (typeof schemes)[number]

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
 * The colors that are drawn for an accent that a church chose: of its hue, and as light or dark as it, unless that could not
 * be read on what the site draws below it.
 * @param chosen e.g. `#ffcc00`.
 */
export function accentColors(chosen: string): Accent {
  const color = toOklch(chosen)
  if (color === undefined) throw new Error('The accent is not a color.')
  return { light: ofScheme(color, 'light'), dark: ofScheme(color, 'dark') }
}

function ofScheme(color: Oklch, scheme: Scheme): SchemeAccent {
  const tint = hexOf({ ...color, ...tints[scheme], c: Math.min(color.c, tints[scheme].c) })
  const below = [tint, ...grounds.map((name) => tokenOf(name, scheme))]
  const away = scheme === 'light' ? -1 : 1
  const { lowest, c } = start[scheme]
  const first = { ...color, l: Math.min(1, Math.max(lowest, color.l)), c: Math.min(color.c, c) }
  const accent = readable(first, below, away)
  return {
    accent: hexOf(accent),
    strong: hexOf(stronger(accent, below, away)),
    tint,
    onFill: tokenOf('on-fill', scheme),
  }
}

/** The nearest color that can be read, darker or lighter. At the end black and white can. */
function readable(color: Oklch, below: string[], away: -1 | 1): Oklch {
  if (color.l < 0 || color.l > 1 || isReadable(color, below)) return color
  return readable({ ...color, l: color.l + away * STEP }, below, away)
}

/** Further away from what is below it; where there is no further, nearer to it. */
function stronger(accent: Oklch, below: string[], away: -1 | 1): Oklch {
  const further = accent.l + away * STRONGER
  if (further >= 0 && further <= 1) return { ...accent, l: further }
  return readable({ ...accent, l: accent.l - away * 2 * STRONGER }, below, away)
}

function isReadable(color: Oklch, below: string[]): boolean {
  const hex = hexOf(color)
  return below.every((ground) => wcagContrast(hex, ground) >= CONTRAST_MINIMUM)
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

/**
 * A style sheet with these colors. More specific than the tokens, because it may come before them; paper is always light.
 */
export function accentStyles(chosen: string): string {
  const { light, dark } = accentColors(chosen)
  return `@layer tokens{${rootOf(light)}@media screen and (prefers-color-scheme:dark){${rootOf(dark)}}}`
}

function rootOf({ accent, strong, tint }: SchemeAccent): string {
  return `:root:root{--accent:${accent};--accent-strong:${strong};--accent-tint:${tint}}`
}
