import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rsvp, testResponses } from '../fixtures.ts'

const { folder, url } = testResponses(3)
const emptyFolder = () => mkdtempSync(join(folder, 'place-'))

describe('rsvp export', () => {
  it.each([
    [['--out', 'list.xlsx'], 'The file holds CSV, which every spreadsheet opens: name it list.csv.'],
    [['--out', 'LIST.ODS'], 'The file holds CSV, which every spreadsheet opens: name it LIST.csv.'],
    [['--out', 'list.json'], 'The file holds CSV, which every spreadsheet opens: name it list.csv.'],
    [['--json', '--out', 'list.csv'], 'With --json the file holds JSON: name it list.json.'],
    [['--keep', '3', '--out', 'list.csv'], 'With --keep give a folder as --out: older exports in it are removed.'],
  ])('refuses a name that it would not keep: %j', async (words, sentence) => {
    const cwd = emptyFolder()
    const { code, stderr } = await rsvp(url, ['export', ...words], { cwd })
    expect([code, stderr, readdirSync(cwd)]).toEqual([2, `${sentence}\nsee rsvp export --help\n`, []])
  })

  it('keeps as many with --keep, of those that hold the same, and no day that is yet to come', async () => {
    const cwd = emptyFolder()
    const old = ['rsvps-2025-01-04.csv', 'rsvps-2025-01-05.csv', 'rsvps-2025-01-06.csv', 'rsvps-2999-01-01.csv']
    const others = ['rsvps-2025-01-05-selection.csv', 'rsvps-2025-01-05.json', 'rsvps-2025-01-05.csv.old', 'notes.txt']
    for (const name of [...old, ...others]) writeFileSync(join(cwd, name), '')
    expect(await rsvp(url, ['export', '--keep', '2', '--out', '.'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    })
    const left = readdirSync(cwd)
    expect(left).toHaveLength(others.length + 3)
    expect([...old, ...others].filter((name) => !left.includes(name))).toEqual(old.slice(0, 2))
  })
})
