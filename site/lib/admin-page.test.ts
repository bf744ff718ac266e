import { describe, expect, it } from 'vitest'
import { filterQuery, isFiltered, namesLeftOut, showsDuplicates, viewAddress } from './admin-page.ts'

describe('namesLeftOut', () => {
  it('names what the address asks for and the view does not have', () => {
    const address = new URLSearchParams('q=ana&week=someday&status=perhaps&role=x&suspicious=&sort=newest&tab=settings')
    expect(namesLeftOut({ q: 'ana' }, address)).toEqual(['week', 'status', 'role'])
  })

  it('names nothing of an address that the view follows', () => {
    expect(namesLeftOut({}, new URLSearchParams('q=+&sort=newest'))).toEqual([])
    expect(namesLeftOut({ sort: 'name' }, new URLSearchParams('sort=name'))).toEqual([])
  })
})

describe('a week', () => {
  it('stands in the address of a view and in what the calls take, but does not count as a filter of its own', () => {
    expect(viewAddress({ week: 'this', q: 'ana' }, 2)).toBe('/admin?week=this&q=ana&page=2')
    expect(filterQuery({ week: '2026-11-21', sort: 'name' })).toBe('week=2026-11-21')
    expect(isFiltered({ week: '2026-11-21', sort: 'name' })).toBe(false)
    expect(isFiltered({ week: '2026-11-21', status: 'attending' })).toBe(true)
    expect(viewAddress({ week: '2026-11-21', same: '3' })).toBe('/admin?week=2026-11-21&same=3')
    expect([{ same: '3' }, { same: '3', q: 'ana' }, {}].map(showsDuplicates)).toEqual([true, false, false])
  })
})
