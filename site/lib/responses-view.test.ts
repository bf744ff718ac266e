import { describe, expect, it } from 'vitest'
import { namesLeftOut } from './responses-view.ts'

describe('namesLeftOut', () => {
  it('names what the address asks for and the view does not have', () => {
    const address = new URLSearchParams('q=ana&status=perhaps&role=x&suspicious=&sort=newest&tab=settings')
    expect(namesLeftOut({ q: 'ana' }, address)).toEqual(['status', 'role'])
  })

  it('names nothing of an address that the view follows', () => {
    expect(namesLeftOut({}, new URLSearchParams('q=+&sort=newest'))).toEqual([])
    expect(namesLeftOut({ sort: 'name' }, new URLSearchParams('sort=name'))).toEqual([])
  })
})
