import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { getChurch } from '#db/church/operations.ts'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testCall } from '#db/fixtures.ts'
import { rsvp, rsvpProcess, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const church = (...words: string[]) => rsvp(url, ['settings', ...words])
const stored = () => getChurch(testCall())
const picture = join(folder, 'church.png')

beforeAll(async () => {
  writeFileSync(picture, await testPicture({ format: 'png' }))
  writeFileSync(join(folder, 'church.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})

describe('rsvp settings, of the church', () => {
  it('changes what is given, shows all of it and removes what is empty', async () => {
    const set = await church('churchName=Grace Church', 'church-accent=#0B5D66')
    expect(set).toMatchObject({ code: 0, stderr: 'The settings have been saved.\n' })
    expect(set.stdout).toMatch(/\nchurchName\tGrace Church\t.+\nchurchAccent\t#0b5d66\t/)
    const json = JSON.parse((await church('churchPictureAlt=The church in spring', '--json')).stdout)
    expect(json).toMatchObject({
      churchName: 'Grace Church',
      churchAccent: '#0b5d66',
      churchPictureAlt: 'The church in spring',
    })
    expect((await church('churchAccent=none', 'churchPictureAlt=', '--quiet')).stdout).toBe('')
    expect(await stored()).toMatchObject({ name: 'Grace Church', accent: null, pictureAlt: null })
  })

  it('stores a picture, also as a process of its own, and removes it', async () => {
    const { code, stdout } = await rsvpProcess(url, ['settings', `churchPicture=${picture}`, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).churchPicture).toEqual((await stored()).picture)
    expect((await stored()).picture?.sizes.map(({ width }) => width)).toEqual([800, 1000])
    expect((await church()).stdout).toContain('churchPicture\t1000 × 600 pixels\t')
    expect((await church('churchPicture=')).stdout).toContain('churchPicture\tnone\t')
    expect((await stored()).picture).toBeNull()
  })

  it.each<[string[], number, RegExp]>([
    [['churchAccent=teal'], 2, /^A color is written as # with six digits from 0 to f, e\.g\. #6a3460\.\n/],
    [[`churchName=${'x'.repeat(81)}`], 2, /^The name of the church may have at most 80 characters\./],
    [['churchPicture=missing.jpg'], 3, /^There is no such file: /],
    [[`churchPicture=${folder}`], 1, / is a pipe, a device or a folder, and not a file\. /],
    [['churchPicture=/dev/zero'], 1, / is a pipe, a device or a folder, and not a file\. /],
    [[`churchPicture=${join(folder, 'church.svg')}`], 1, /Save it as JPEG/],
  ])('refuses %j', async (words, code, sentence) => {
    const before = await stored()
    const refused = await church(...words)
    expect(refused).toMatchObject({ code, stdout: '' })
    expect(refused.stderr).toMatch(sentence)
    expect(await stored()).toEqual(before)
  })
})
