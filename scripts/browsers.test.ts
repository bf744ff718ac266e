import { expect, it } from 'vitest'
import { newerInScript, newerInStyle } from './browsers.mjs'

it('finds what the oldest browsers lack in a script, unless it asks first or has the same itself', () => {
  const newer = 'a.filter(URL.canParse); a?.toSorted(); new Intl.Segmenter("en"); requestIdleCallback(f); /(?<!b)c/'
  const found = ['look-behind', 'URL.canParse', '.toSorted', 'Intl.Segmenter', 'requestIdleCallback']
  expect(newerInScript(newer).sort()).toEqual(found.sort())
  const asked = 'AbortSignal.timeout?.(5); typeof URL.canParse; if (URL.canParse) a()'
  const own = 'class A extends Map { toSorted() { return new A().toSorted() } }'
  const old = 'a.at(-1) ?? a.findLast(b); structuredClone(a); c ||= /\\p{L}/u; class B { #b = 1 }'
  expect(newerInScript(`${asked}; ${own}; ${old}`)).toEqual([])
})

it('finds what they lack in a style, unless another declaration stands in for it, or it asks first', () => {
  const media = '@media (width<9px){a{b:c}} @media (scripting:none){a{b:c}}'
  const values = 'a{fill:color-mix(in oklab,red,tan);float:inline-start} a{height:9dvh;&:hover{b:c}}'
  const found = [':has', 'range', 'scripting', 'color-mix()', 'float: inline-start', 'dvh', 'nesting']
  expect(newerInStyle(`a,a:has(b){c:d} ${media} ${values}`)).toEqual(found)
  const standsIn = 'a{height:9vh;height:9dvh;-webkit-hyphens:auto;hyphens:auto;cursor:pointer}'
  expect(newerInStyle(`${standsIn} @supports selector(:has(a)){a,a:has(b){c:d}} a:has(b),c:has(d){e:f}`)).toEqual([])
})
