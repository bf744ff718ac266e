import { expect, it } from 'vitest'
import { typedNumber, withPlainDigits } from './numbers.ts'

it.each([
  ['87', 87],
  ['٨٧', 87],
  ['۸۷', 87],
  ['８７', 87],
  ['１，０００', 1000],
  ['１．０００', 1000],
  ['𝟖𝟕', 87],
  [' \u200f٨٧ ', 87],
  ['0', 0],
  ['1,200', 1200],
  ['١٬٢٠٠', 1200],
  ["1'200'000", 1_200_000],
  ['', Number.NaN],
  ['-3', Number.NaN],
  ['1.5', Number.NaN],
  ['1e3', Number.NaN],
  ['eighty', Number.NaN],
])('reads %j as %j', (typed, number) => expect(typedNumber(typed)).toBe(number))

it('changes nothing but digits', () => expect(withPlainDigits('٢٠٢٦-١١-٢١, 1h30 · ½')).toBe('2026-11-21, 1h30 · ½'))
