import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, viewAddress } from './admin-page.ts'

describe('a week', () => {
  it('stands in the address of a view and in what the calls take, but does not count as a filter of its own', () => {
    expect(viewAddress({ week: 'this', q: 'ana' }, 2)).toBe('/admin?week=this&q=ana&page=2')
    expect(filterQuery({ week: '2026-11-21', sort: 'name' })).toBe('week=2026-11-21')
    expect(isFiltered({ week: '2026-11-21', sort: 'name' })).toBe(false)
    expect(isFiltered({ week: '2026-11-21', status: 'attending' })).toBe(true)
  })
})
