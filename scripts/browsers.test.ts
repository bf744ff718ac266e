import { describe, expect, it } from 'vitest'
import { newerInScript, newerInStyle } from './browsers.mjs'

describe('newerInScript', () => {
  it.each([
    ['a.filter(URL.canParse)', ['URL.canParse']],
    ['a?.toSorted()', ['.toSorted']],
    ['new Intl.Segmenter("en")', ['Intl.Segmenter']],
    ['requestIdleCallback(f)', ['requestIdleCallback']],
    ['navigator.locks.request("a", b => b.showPicker())', ['.showPicker']],
    ['a.replace(/(?<!b)c/, "")', ['look-behind']],
    ['new RegExp("(?<=" + a + ")")', ['look-behind']],
    // It asks first, has such a method itself, or is old enough.
    ['AbortSignal.timeout?.(5); typeof URL.canParse; if (URL.canParse) a()', []],
    ['class A extends Map { toSorted() { return new A().toSorted() } }', []],
    ['a.at(-1) ?? a.findLast(b); structuredClone(a); c ||= /\\p{L}/u; class A { #b = 1 }', []],
  ])('reports what the oldest browsers lack in %j', (code, newer) => {
    expect(newerInScript(code)).toEqual(newer)
  })
})

describe('newerInStyle', () => {
  it.each([
    ['a:has(b){c:d}e{f:g}', [':has']],
    ['@media (width<9px){a{b:c}}', ['range']],
    ['@media (scripting:none){a{b:c}}', ['scripting']],
    ['a{fill:color-mix(in oklab,red,tan)}', ['color-mix()']],
    ['a{float:inline-start}', ['float: inline-start']],
    ['a{height:9dvh}', ['dvh']],
    ['a{&:hover{b:c}}', ['nesting']],
    ['@container (width>9px){a{height:9dvh}}', ['@container']],
    ['a{height:9vh;height:9dvh;-webkit-hyphens:auto;hyphens:auto}', []],
    ['@supports selector(:has(a)){a:has(b){c:d}}@supports not selector(:has(a)){e{f:g}}', []],
    ['a{cursor:pointer}', []],
  ])('reports what the oldest browsers lack in %j', (code, found) => {
    expect(newerInStyle(code)).toEqual(found)
  })
})
