import { describe, expect, it } from 'vitest'
import { choicesFor, choicesForAny } from './role-choices.ts'

const greeter = { id: 1, name: 'Greeter', needed: 2, filled: { '2026-11-21': 1, '2026-11-28': 3, '2026-12-05': 0 } }
const usher = { id: 2, name: 'Usher' }

describe('choicesFor', () => {
  it.each([
    [undefined, '1 still needed', false],
    ['2026-11-21', '1 still needed', false],
    ['2026-11-28', 'filled', true],
    ['2026-12-05', '2 still needed', false],
  ])('says what is needed on %s', (date, state, disabled) => {
    const before = choicesFor([greeter, usher], '2026-11-28')
    for (const roles of [[greeter, usher], before]) {
      expect(choicesFor(roles, date)).toEqual([{ ...greeter, state, disabled }, usher])
    }
  })

  it('are the same array where nothing changes', () => {
    const shown = choicesFor([greeter, usher], '2026-11-21')
    expect(choicesFor(shown, undefined)).toBe(shown)
  })
})

describe('choicesForAny', () => {
  const days = ['2026-11-21', '2026-11-28', '2026-12-05'].map((date) => ({ date, label: `day ${date}` }))

  it.each([
    ['2026-11-28', 'filled for day 2026-11-28'],
    ['2026-11-21', undefined],
    [undefined, undefined],
    ['2027-01-01', undefined],
  ])('names the day %s where a role is filled then and needed on another', (date, filledFor) => {
    const [first, second] = choicesForAny([greeter, usher], days, date)
    expect(first?.filledFor).toBe(filledFor)
    expect(second).toEqual(usher)
  })

  it('leaves a role alone that is filled on all of them, or where no days are offered', () => {
    expect(choicesForAny([greeter], [{ date: '2026-11-28', label: 'day' }])[0]).not.toHaveProperty('filledFor')
    expect(choicesForAny([{ ...greeter, needed: 1 }], [])[0]).toMatchObject({
      disabled: true,
      state: 'filled',
    })
  })
})
