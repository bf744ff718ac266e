import { type Rgb, rgb } from 'culori'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeChurch } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { openForTests, testCall } from '#db/fixtures.ts'
import { openedDatabase, setConnection } from '#db/storage/client.ts'
import tokens from '#site/styles/tokens.css?raw'
import { accentColors, loadChurch, lookStyles } from './church.ts'

openForTests()
const visitor = testCall({ role: 'visitor', actor: 'visitor' })

const nothing = { name: null, accent: null, focus: null, stylesheet: null, picture: null, preview: '/preview.jpg' }

describe('loadChurch', () => {
  it('shows nothing of a church that says nothing', async () => {
    expect(await loadChurch(visitor)).toEqual(nothing)
  })

  it('shows the name, and the accent in both schemes with the address of its styles', async () => {
    await changeChurch({ name: 'Grace Church', accent: '#0b5d66' }, testCall())
    const shown = await loadChurch(visitor)
    const stylesheet = expect.stringMatching(/^\/church\/0b5d66-[\da-f]{16}\.css$/)
    expect(shown).toEqual({
      ...nothing,
      name: 'Grace Church',
      accent: accentColors('#0b5d66'),
      stylesheet,
    })
  })

  it('shows nothing while the database cannot be read', async () => {
    const opened = openedDatabase()
    const read = () => Promise.reject(new UserError('unavailable', 'It cannot be read.'))
    setConnection({ ...opened, changes: () => undefined, read })
    expect(await loadChurch(visitor)).toEqual(nothing)
    setConnection(opened)
  })
})

const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
/** Where the computation could run out of lightness or hue. */
const extremes = ['#000000', '#ffffff', '#808080', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#00ffff', '#fefefe']

/** Every color of the styles in a scheme, by its name. */
function tokensOf(scheme: 'light' | 'dark'): Map<string, string> {
  const found = tokens.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)
  return new Map(Array.from(found, ([, name = '', light = '', dark = '']) => [name, scheme === 'light' ? light : dark]))
}

/** What a text or a control of the accent may stand on: the paper and everything that lies on it. */
function groundsOf(scheme: 'light' | 'dark'): [string, string][] {
  return Array.from(tokensOf(scheme)).filter(([name]) => /^(paper|glow|surface|well|shade|gray|\w+-tint)$/.test(name))
}

/** As WCAG 2.2 defines it, written once more: the library is not to be its own witness. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const { r, g, b } = rgb(color) as Rgb
  const [red, green, blue] = [r, g, b].map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

describe('accentColors', () => {
  it.each(['light', 'dark'] as const)('can be read in the %s scheme, whatever was chosen', (scheme) => {
    const grounds = groundsOf(scheme)
    const [ink = '', softInk = ''] = ['ink', 'ink-soft'].map((name) => tokensOf(scheme).get(name))
    expect(grounds.length).toBeGreaterThanOrEqual(9)
    const check = fc.property(anyColor, (chosen) => {
      const { accent, strong, tint, onFill } = accentColors(chosen)[scheme]
      for (const color of [accent, strong]) {
        for (const [name, ground] of [...grounds, ['the tint', tint], ['a button', onFill]])
          expect(contrast(color, ground ?? ''), `${chosen}: ${color} on ${name}`).toBeGreaterThanOrEqual(4.5)
      }
      for (const text of [ink, softInk]) expect(contrast(text, tint), `${text} on ${tint}`).toBeGreaterThanOrEqual(4.5)
      expect(strong).not.toBe(accent)
    })
    fc.assert(check, { examples: extremes.map((color): [string] => [color]), numRuns: 500, seed: 1 })
  })

  it('keeps a color that can be read as it is', () => {
    expect(accentColors('#6a3460').light.accent).toBe('#6a3460')
    expect(accentColors('#0b5d66').light.accent).toBe('#0b5d66')
    expect(accentColors('#ffe9a8').dark.accent).toBe('#ffe9a8')
  })
})

describe('lookStyles', () => {
  it('sets the colors of both schemes, for screens only in the dark', () => {
    const { light, dark } = accentColors('#0b5d66')
    expect(lookStyles({ accent: '#0b5d66', focus: null })).toBe(
      `@layer tokens{:root:root{--accent:${light.accent};--accent-strong:${light.strong};--accent-tint:${light.tint}}` +
        `@media screen and (prefers-color-scheme:dark){:root:root{--accent:${dark.accent};--accent-strong:${dark.strong};--accent-tint:${dark.tint}}}}`,
    )
  })

  it('keeps the focus of the picture in sight wherever it is cropped', () => {
    expect(lookStyles({ accent: null, focus: '40,25' })).toBe(':is(.cover,.poster__cover)>img{object-position:40% 25%}')
  })
})
