import { describe, expect, it } from 'vitest'
import { chooseLanguage } from './language.ts'

describe('the language of a reply', () => {
  it.each<[string, string | undefined]>([
    ['en', undefined],
    ['en', ''],
    ['en', 'en-US,en;q=0.9,es;q=0.8'],
    ['es', 'es-MX,es;q=0.9,en;q=0.8'],
    ['pt', 'pt-BR'],
    ['ko', 'ja,ko;q=0.9,en;q=0.8'],
    ['en', '*'],
    ['en', `${'x'.repeat(4000)},;;q=,=`],
  ])('is %s for a browser that prefers %s', (expected, accepted) => {
    expect(chooseLanguage('/share', { 'accept-language': accepted })).toBe(expected)
  })

  it.each([
    ['ko', 'language=ko'],
    ['ko', 'a=1; language=ko; b=2'],
    ['es', 'language=xx'],
    ['es', 'sitelanguage=ko'],
  ])('is %s where a cookie says %s and the browser prefers Spanish', (expected, cookie) => {
    expect(chooseLanguage('/share', { cookie, 'accept-language': 'es' })).toBe(expected)
  })

  it.each([
    ['de', '/share?language=de'],
    ['de', '/?v=2&language=de#list'.split('#')[0] ?? ''],
    ['de', '/share?language=DE).'],
    ['ko', '/share?language=deu'],
    ['ko', '/share?language=xx'],
    ['ko', '/share?sublanguage=de'],
    ['ko', '/language=de'],
  ])('is %s at %s, before any cookie', (expected, address) => {
    expect(chooseLanguage(address, { cookie: 'language=ko' })).toBe(expected)
  })
})
