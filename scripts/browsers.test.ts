import { describe, expect, it } from 'vitest'
import { newerInScript, oldestStyle } from './browsers.mjs'

describe('newerInScript', () => {
  it.each([
    ['a.filter(URL.canParse)', ['URL.canParse']],
    ['a?.toSorted()', ['.toSorted']],
    ['new Intl.Segmenter("en")', ['Intl.Segmenter']],
    ['requestIdleCallback(f)', ['requestIdleCallback']],
    ['navigator.locks.request("a", b => b.showPicker())', ['.showPicker']],
    ['a.replace(/(?<!b)c/, "")', ['look-behind', expect.stringContaining('new RegExp')]],
    ['new RegExp("(?<=" + a + ")")', ['look-behind']],
    ['class A { static { a() } }', [expect.stringContaining('newer syntax')]],
    ['/[\\p{L}--a]/v.test(b)', [expect.stringContaining('newer syntax')]],
    // It asks first, has such a method itself, or is old enough.
    ['AbortSignal.timeout?.(5); typeof URL.canParse; if (URL.canParse) a()', []],
    ['class A extends Map { toSorted() { return new A().toSorted() } }', []],
    ['a.at(-1) ?? a.findLast(b); structuredClone(a); c ||= /\\p{L}/u; class A { #b = 1 }', []],
  ])('reports what the oldest browsers lack in %j', async (code, newer) => {
    expect(await newerInScript(code)).toEqual(newer)
  })
})

describe('oldestStyle', () => {
  it.each([
    ['a:has(b){c:d}e{f:g}', [':has'], 'e{f:g}'],
    ['@media (width<9px){a{b:c}}', ['range'], ''],
    ['@media (scripting:none){a{b:c}}', ['@media (scripting)'], ''],
    ['a{fill:color-mix(in oklab,red,tan)}', ['color-mix()'], 'a{}'],
    ['a{float:inline-start}', ['float: inline-start'], 'a{}'],
    ['a{height:9dvh}', ['dvh'], 'a{}'],
    ['a{&:hover{b:c}}', ['nesting'], 'a{}'],
    ['a{height:9vh;height:9dvh;-webkit-hyphens:auto;hyphens:auto}', [], 'a{height:9vh;-webkit-hyphens:auto}'],
    ['@supports selector(:has(a)){a:has(b){c:d}}@supports not selector(:has(a)){e{f:g}}', [], 'e{f:g}'],
    ['a{cursor:pointer}', [], 'a{cursor:pointer}'],
  ])('reports what the oldest browsers lack in %j, and drops it as they do', (code, found, style) => {
    expect(oldestStyle(code)).toEqual({ style, found })
  })
})
