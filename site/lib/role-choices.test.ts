import { describe, expect, it } from 'vitest'
import { choicesFor } from './role-choices.ts'

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

  it('returns the same array if nothing changes', () => {
    const shown = choicesFor([greeter, usher], '2026-11-21')
    expect(choicesFor(shown, undefined)).toBe(shown)
  })
})
