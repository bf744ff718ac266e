import { expect, it } from 'vitest'
import { newerInScript, newerInStyle } from './browsers.mjs'

it('finds what the oldest browsers lack in a script, unless it asks first or has the same itself', () => {
  const newer = 'a.filter(URL.canParse); a?.toSorted(); new Intl.Segmenter("en"); requestIdleCallback(f); /(?<!b)c/'
  const found = ['look-behind', 'URL.canParse', '.toSorted', 'Intl.Segmenter', 'requestIdleCallback']
  expect(newerInScript(newer).sort()).toEqual(found.sort())
  const own = 'AbortSignal.timeout?.(5); typeof URL.canParse; class A { toSorted() { return new A().toSorted() } }'
  expect(newerInScript(`${own}; a.at(-1) ?? a.findLast(b); structuredClone(a)`)).toEqual([])
})

it('finds what they lack in a style, unless another declaration stands in for it, or it asks first', () => {
  const newer = 'a:has(b){c:d} @media (width<9px){a{fill:color-mix(in oklab,red,tan)}} a{height:9dvh;&:hover{b:c}}'
  expect(newerInStyle(newer)).toEqual([':has', 'range', 'color-mix()', 'dvh', 'nesting'])
  expect(newerInStyle('a{height:9vh;height:9dvh} @supports selector(:has(a)){a:has(b){c:d}}')).toEqual([])
})
