import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { getSettings } from '#db/settings/operations.ts'
import { rsvp, rsvpInTerminal, rsvpProcess, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const settings = (...words: string[]) => rsvp(url, ['settings', ...words])
const saved = 'The settings have been saved.\n'

it('rsvp settings shows all, changes several at once, and those of the church', async () => {
  const changes: [words: string[], stdout: RegExp][] = [
    [[], /^publicNames\tinitial\t.+\nretentionDays\toff\t(.+\n)+eventLanguage\ten\t.+\n$/],
    [
      ['public-names=COUNTS', 'prayers=on', 'prayerDays=off'],
      /^publicNames\tcounts\t(.+\n)+prayers\ton\t.+\nprayerDays\toff\t/,
    ],
    [['churchName=Grace Church', 'church-accent=#0B5D66'], /\nchurchName\tGrace Church\t.+\nchurchAccent\t#0b5d66\t/],
    [['churchName='], /\nchurchName\tnone\t/],
  ]
  for (const [words, stdout] of changes) {
    const stderr = words.length > 0 ? saved : ''
    expect(await settings(...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(stdout), stderr })
  }
  const picture = join(folder, 'church.png')
  writeFileSync(picture, await testPicture({ format: 'png' }))
  // As a process of its own: that loads the native code.
  const { stdout } = await rsvpProcess(url, ['settings', `churchPicture=${picture}`, '--json'])
  expect(JSON.parse(stdout).churchPicture.sizes).toHaveLength(2)
  expect((await settings('churchPicture=')).stdout).toContain('churchPicture\tnone\t')
})

it('rsvp settings asks before old responses lose their names', async () => {
  for (const _ of [1, 2]) await createRsvp(testRsvp(), testCall())
  const stderr = 'No terminal to confirm on: add --yes to continue.\nsee rsvp settings --help\n'
  expect(await settings('retentionDays=90d')).toMatchObject({ code: 2, stdout: '', stderr })
  const terminal = rsvpInTerminal(url, ['settings', 'retentionDays=90d'], { columns: 120 })
  expect(await terminal.shows('Type 2')).toMatch(/^2 responses are older than 90 days and will lose names/)
  terminal.press('\r')
  expect([await terminal.ended, await getSettings(testCall())]).toMatchObject([1, { retentionDays: null }])
  expect(await settings('retentionDays=90d', '--yes')).toMatchObject({ code: 0 })
  expect(await getSettings(testCall())).toMatchObject({ retentionDays: 90 })
})

it.each<[string, number, RegExp]>([
  ['name=full', 2, /^There is no setting "name": name one of publicNames, /],
  ['publicNames=all', 2, /^Say one of full, initial, counts, none, e\.g\. publicNames=counts\./],
  ['retentionDays=3651', 2, /Keep responses for at most 3650 days/],
  ['prayers=yes', 2, /^Say on or off, e\.g\. `rsvp settings prayers=on`\./],
  ['churchAccent=teal', 2, /^A color is written as # with six digits from 0 to f, e\.g\. #6a3460\.\n/],
  ['churchPicture=missing.jpg', 3, /^There is no such file: /],
  ['churchPicture=/dev/zero', 1, / is a pipe, a device or a folder, and not a file\. /],
  ['eventLanguage=xx', 2, /./],
])('rsvp settings refuses %s', async (word, code, sentence) => {
  const before = await getSettings(testCall())
  expect(await settings(word)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(sentence) })
  expect(await getSettings(testCall())).toEqual(before)
})
