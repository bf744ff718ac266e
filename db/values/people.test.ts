import { describe, expect, it } from 'vitest'
import { isSeveral, membersIn } from './people.ts'

const namesIn = (text: string, room?: number) => membersIn(text, room).map(({ name }) => name)

describe('the names in a list', () => {
  it.each<[string, string[]]>([
    ['Anna Lind\nBen Lind\r\nCara', ['Anna Lind', 'Ben Lind', 'Cara']],
    ['- Anna\n• Ben\n* Cara\n', ['Anna', 'Ben', 'Cara']],
    ['Anna; Ben;Cara Lind ;', ['Anna', 'Ben', 'Cara Lind']],
    ['Anna\tBen | Cara', ['Anna', 'Ben', 'Cara']],
    ['آنا، بن، سارة', ['آنا', 'بن', 'سارة']],
    ['민수、지영、서연', ['민수', '지영', '서연']],
    ['安娜，本，卡拉', ['安娜', '本', '卡拉']],
    ['Anna, Ben, and Cara', ['Anna', 'Ben', 'Cara']],
    ['Anna, Ben and Cara', ['Anna', 'Ben', 'Cara']],
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
    ['Uli (8)', ['Uli (8)']],
    ['Mo Lind (vegan, no nuts); Al Lind (here; at times)', ['Mo Lind (vegan, no nuts)', 'Al Lind (here; at times)']],
    ['', []],
  ])('of %j are %j', (text, names) => expect(namesIn(text)).toEqual(names))

  it('have the age groups of the years in brackets behind them', () => {
    expect(membersIn('Uli (8), Vera(15); 民수（４０）; Max (twin)')).toEqual([
      { name: 'Uli', age: 'child' },
      { name: 'Vera', age: 'teen' },
      { name: '民수', age: 'adult' },
      { name: 'Max (twin)', age: '' },
    ])
  })

  it('beyond the room are all in the last one', () => {
    expect(namesIn('Anna\nBen\nCara (8)\nDirk (9)', 2)).toEqual(['Anna', 'Ben, Cara (8), Dirk (9)'])
  })
})

it.each([
  ...[
    'Tom & Anna Lind',
    'Anna and Tom Lind',
    'Anna und Tom',
    'Ana y Tomás Pérez',
    'آنا و توم',
    '민수 및 지영',
    'Tom/Anna',
  ],
  ...['Familie Lind', 'Lind family', 'Familia Pérez', 'Les enfants', 'عائلة كريم', 'الأطفال', '김민수 가족'],
  ...['3 kids', '4 Personen', 'Lind (4)', '٣ أطفال', '+2', 'x3', 'Lind x3', '３人'],
  ...['MARTHA LIND, Otto Lind', 'Kim (4), Bo'],
])('%j is several people', (name) => expect(isSeveral(name)).toBe(true))

it.each([
  ...['Ruth Lind', 'Lind, Ruth', 'Anna Maria', 'John E Smith', 'Andy Sandoval', "Anne-Marie O'Brien", 'محمد علي', ''],
  ...['Costa e Silva', 'Ana Costa e Silva', 'Ortega y Gasset', 'José Ortega y Gasset', 'Kindermann'],
  ...['Visitor 12', 'Alex 3'],
])('%j is one person', (name) => expect(isSeveral(name)).toBe(false))
