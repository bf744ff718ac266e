import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cellTitles } from '#db/rsvp/fields.ts'
import { readCsv } from '#db/rsvp/read-csv.ts'
import { csvLines } from '#db/values/csv.ts'
import { splitList } from './put-back-tables.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rsvp-split-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Every cell of a row has the same text. */
async function listOf(texts: string[]) {
  const list = join(folder, 'responses.csv')
  const rows = texts.map((text) => cellTitles.map(() => text))
  await writeFile(list, `\uFEFF${csvLines([cellTitles, ...rows])}`)
  return list
}
const namesIn = async (file: string) => readCsv(await readFile(file)).rows.map(({ cells }) => cells.name)

it('splits an export into parts with whole rows, the oldest first', async () => {
  const texts = ['new', 'a\n"b"\r\n\n"', '"', 'ü, ;', 'old']
  const list = await listOf(texts)
  const parts = await splitList(list, {}, { rows: 2, characters: 10_000 })
  expect(await Promise.all(parts.map(namesIn))).toEqual([['old'], texts.slice(2, 4), texts.slice(0, 2)])
  expect(await splitList(list, {}, { rows: 9, characters: 1 })).toHaveLength(5)
  expect(await splitList(await listOf([]), {})).toEqual([])
})

it('leaves every part of a large export small enough to be imported, in every version', async () => {
  const texts = Array.from({ length: 20_001 }, (_, at) => `${at}`)
  const list = await listOf(texts)
  const parts = await splitList(list, {})
  expect(parts).toHaveLength(2)
  expect((await Promise.all(parts.map(namesIn))).toReversed().flat()).toEqual(texts)
})
