import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { findCutSettings } from './cut-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-cut-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function findIn(text: string): string[] {
  const file = join(folder, '.env')
  writeFileSync(file, text)
  return findCutSettings(file)
}

const AT_HASH = " in .env is read only as far as its #. Put the whole value in quotes, e.g. NAME='a#b'."
const AT_QUOTE = ' in .env is read only as far as its second quote. Put quotes of another kind around the whole value.'

describe('findCutSettings', () => {
  it.each([
    ['ADMIN_PASSWORD=correct#horse', 'correct', AT_HASH],
    ['ADMIN_PASSWORD=#correct horse', '', AT_HASH],
    ['ADMIN_PASSWORD=correct #horse', 'correct', AT_HASH],
    ['ADMIN_PASSWORD= #correct', '', AT_HASH],
    ['  export  ADMIN_PASSWORD = correct#horse', 'correct', AT_HASH],
    ['ADMIN_PASSWORD=correct#horse\r', 'correct', AT_HASH],
    ['ADMIN_PASSWORD=correct\\#horse', 'correct\\', AT_HASH],
    ["ADMIN_PASSWORD=it's#horse", "it's", AT_HASH],
    ['ADMIN_PASSWORD="correct"horse', 'correct', AT_QUOTE],
    ['ADMIN_PASSWORD="correct"#horse', 'correct', AT_QUOTE],
    ['ADMIN_PASSWORD="correct\\"horse"', 'correct\\', AT_QUOTE],
    ["ADMIN_PASSWORD='correct'horse'", 'correct', AT_QUOTE],
    ['ADMIN_PASSWORD=correct# horse', 'correct', AT_HASH],
    ['DATABASE_AUTH_TOKEN=a#b', 'a', AT_HASH],
    ['DATABASE_URL=file:./data/a#b.db # ours', 'file:./data/a', AT_HASH],
    ['DATABASE_URL=file:./data/a#b.db', 'file:./data/a', AT_HASH],
    ['BACKUP_DIR=/backups/#1', '/backups/', AT_HASH],
    ['BACKUP_DIR=#1', '', AT_HASH],
  ])('names %j, of which %j is read', (line, read, sentence) => {
    const [[name = '', value] = []] = Object.entries(parseEnv(line))
    expect(value).toBe(read)
    expect(findIn(`A=1\n${line}\nB=2\n`)).toEqual([`${name}${sentence.replace('NAME', name)}`])
  })

  it.each([
    'ADMIN_PASSWORD=correct horse',
    'ADMIN_PASSWORD="correct#horse"',
    "ADMIN_PASSWORD='correct #horse' # ours",
    'ADMIN_PASSWORD=`correct#horse`# ours',
    'ADMIN_PASSWORD=correct horse # ours',
    'ADMIN_PASSWORD=correct horse #',
    'ADMIN_PASSWORD=',
    'ADMIN_PASSWORD= # none',
    '#ADMIN_PASSWORD=correct#horse',
    'PORT=4321 #the port',
    'PORT=4321 # see issue#5',
    'PORT=4321 ## the port',
    'TZ=America/Chicago # https://x/y#z',
    'BACKUP_DIR=# none yet',
    'ADMIN_PASSWORD=correct horse # see issue#5',
    'SMTP_PASSWORD=correct#horse',
    'ADMIN_PASSWORD=correct#horse\nADMIN_PASSWORD="correct#horse"',
    'NOTE="\nADMIN_PASSWORD=correct#horse\n"',
  ])('has nothing to say of %j', (text) => expect(findIn(text)).toEqual([]))

  it('has nothing to say where there is none', () => {
    expect(findCutSettings(join(folder, 'missing'))).toEqual([])
  })
})
