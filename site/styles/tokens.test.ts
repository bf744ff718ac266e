import { describe, expect, it } from 'vitest'
import { accents } from '#db/values/church.ts'
import tokens from './tokens.css?raw'

type Scheme = 'light' | 'dark'

/** The colors of a rule in one scheme, by their names. */
function colorsOf(selector: string, scheme: Scheme): Map<string, string> {
  const [rule = ''] = tokens.slice(tokens.indexOf(`${selector} {`)).split('}', 1)
  const found = rule.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)
  return new Map(Array.from(found, ([, name = '', light = '', dark = '']) => [name, scheme === 'light' ? light : dark]))
}

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe.each(['light', 'dark'] as const)('the colors of the %s scheme', (scheme) => {
  const colors = colorsOf(':root', scheme)
  /** The backgrounds of texts and controls. */
  const grounds = colorsNamed(/^(paper|glow|surface|well|shade|gray|\w+-tint)$/)

  function colorsNamed(pattern: RegExp): [string, string][] {
    return Array.from(colors).filter(([name]) => pattern.test(name))
  }

  function expectContrast(names: [string, string][], on: [string, string][], minimum: number): void {
    for (const [name, color] of names)
      for (const [ground, other] of on)
        expect(contrast(color, other), `${name} ${color} on ${ground} ${other}`).toBeGreaterThanOrEqual(minimum)
  }

  it('have enough contrast on all backgrounds', () => {
    expect(grounds.length).toBeGreaterThanOrEqual(9)
    expectContrast(colorsNamed(/^ink/), grounds, 4.5)
    expectContrast(colorsNamed(/^control-line$/), colorsNamed(/^(paper|surface|well)$/), 3)
  })

  it.each(accents)('have enough contrast with the accent %s', (accent) => {
    const own = colorsOf(`[data-accent="${accent}"]`, scheme)
    const texts = ['accent', 'accent-strong'].map((name): [string, string] => [name, own.get(name) ?? ''])
    const tint: [string, string] = ['accent-tint', own.get('accent-tint') ?? '']
    const onFill: [string, string] = ['on-fill', colors.get('on-fill') ?? '']
    expectContrast(texts, [...grounds, tint, onFill], 4.5)
    expectContrast(colorsNamed(/^ink/), [tint], 4.5)
  })
})
