import { describe, expect, it } from 'vitest'
import { isSeveral, namesIn } from './people.ts'

describe('the names in a list', () => {
  it.each<[string, string[]]>([
    ['Anna Lind\nBen Lind\r\nCara', ['Anna Lind', 'Ben Lind', 'Cara']],
    ['- Anna\n• Ben\n* Cara\n', ['Anna', 'Ben', 'Cara']],
    ['Anna; Ben;Cara Lind ;', ['Anna', 'Ben', 'Cara Lind']],
    ['آنا، بن، سارة', ['آنا', 'بن', 'سارة']],
    ['민수、지영、서연', ['민수', '지영', '서연']],
    ['Anna, Ben, and Cara', ['Anna', 'Ben', 'Cara']],
    ['Anna, Ben, Cara und Dirk', ['Anna', 'Ben', 'Cara', 'Dirk']],
    ['Ana, Rui e Eva', ['Ana', 'Rui', 'Eva']],
    ['Anna & Ben; Cara / Dirk', ['Anna', 'Ben', 'Cara', 'Dirk']],
    ['Anna Lind, Ben Lind', ['Anna Lind', 'Ben Lind']],
    ['Ana Costa e Silva, Rui Costa e Silva', ['Ana Costa e Silva', 'Rui Costa e Silva']],
    ['Lind, Ruth\nLind, Tom', ['Lind, Ruth', 'Lind, Tom']],
    ['Lind, Ruth', ['Lind, Ruth']],
    ['Tom Lind, Jr.', ['Tom Lind, Jr.']],
    ['Tom & Anna Lind', ['Tom & Anna Lind']],
    ["Anne-Marie O'Brien", ["Anne-Marie O'Brien"]],
    ['', []],
  ])('of %j are %j', (text, names) => expect(namesIn(text)).toEqual(names))

  it('beyond the room are all in the last one', () => {
    expect(namesIn('Anna\nBen\nCara\nDirk', 2)).toEqual(['Anna', 'Ben, Cara, Dirk'])
  })
})

it.each([
  'Tom & Anna Lind',
  'Anna and Tom Lind',
  'Ana y Tomás',
  'Ana e Rui',
  'آنا و توم',
  '민수 및 지영',
  'Tom/Anna',
  'Familie Lind',
  'Familia Pérez',
  'عائلة كريم',
  '김민수 가족',
  '3 kids',
  'Lind (4)',
  '٣ أطفال',
  '+2',
])('%j is several people', (name) => expect(isSeveral(name)).toBe(true))

it.each([
  'Ruth Lind',
  'Lind, Ruth',
  'Ana Costa e Silva',
  'John E Smith',
  'Andy Sandoval',
  "Anne-Marie O'Brien",
  'محمد علي',
  '',
])('%j is one person', (name) => expect(isSeveral(name)).toBe(false))
