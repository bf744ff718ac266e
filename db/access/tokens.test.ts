import { describe, expect, it } from 'vitest'
import { hashOfToken, newToken } from './tokens.ts'

describe('a token', () => {
  it('is 256 random bits, never the same twice', () => {
    const tokens = Array.from({ length: 1000 }, newToken)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
    expect(new Set(tokens).size).toBe(1000)
  })

  it('is stored as its SHA-256', () => {
    expect(hashOfToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
