import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTexts } from '../texts.mjs'
import { findDocuments, labelsOf, picturesOf, stands } from './documents-fixtures.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs/clerk.md'), 'utf8')
const texts = Array.from(findTexts(root).texts.keys())
const labels = labelsOf(page)

describe('the page for the clerk', () => {
  it('names what stands on the screen in the same words', () => {
    expect(labels.length).toBeGreaterThan(50)
    expect(labels.filter((label) => !stands(label, texts))).toEqual([])
  })

  it('says in words what each of its pictures shows', () => {
    const pictures = picturesOf(page)
    expect(pictures.length).toBeGreaterThan(3)
    expect(pictures.filter(({ alt }) => alt.split(' ').length < 6)).toEqual([])
  })
})

describe('the pictures', () => {
  it('are each in a document', () => {
    const shown = findDocuments(root).flatMap((name) => picturesOf(readFileSync(join(root, name), 'utf8')))
    const names = shown.map(({ src }) => src.replace(/.*\//, ''))
    expect(readdirSync(join(root, 'docs/pictures')).filter((name) => !names.includes(name))).toEqual([])
  })
})
