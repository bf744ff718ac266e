import { describe, expect, it } from 'vitest'
import { newerInScript, newerInStyle } from './browsers.mjs'

describe.each([
  {
    find: newerInScript,
    table: [
      ['a.filter(URL.canParse)', ['URL.canParse']],
      ['a?.toSorted()', ['.toSorted']],
      ['new Intl.Segmenter("en")', ['Intl.Segmenter']],
      ['requestIdleCallback(f)', ['requestIdleCallback']],
      ['a.replace(/(?<!b)c/, "")', ['look-behind']],
      // It asks first, has such a method itself, or is old enough.
      ['AbortSignal.timeout?.(5); typeof URL.canParse; if (URL.canParse) a()', []],
      ['class A extends Map { toSorted() { return new A().toSorted() } }', []],
      ['a.at(-1) ?? a.findLast(b); structuredClone(a); c ||= /\\p{L}/u; class A { #b = 1 }', []],
    ],
  },
  {
    find: newerInStyle,
    table: [
      ['a:has(b){c:d}', [':has']],
      ['@media (width<9px){a{b:c}}', ['range']],
      ['@media (scripting:none){a{b:c}}', ['scripting']],
      ['a{fill:color-mix(in oklab,red,tan);float:inline-start}', ['color-mix()', 'float: inline-start']],
      ['a{height:9dvh;&:hover{b:c}}', ['dvh', 'nesting']],
      ['a{height:9vh;height:9dvh;-webkit-hyphens:auto;hyphens:auto;cursor:pointer}', []],
      ['@supports selector(:has(a)){a:has(b){c:d}}', []],
    ],
  },
])('$find.name', ({ find, table }) => {
  it.each(table)('reports what the oldest browsers lack in %j', (code, newer) => {
    expect(find(String(code))).toEqual(newer)
  })
})
