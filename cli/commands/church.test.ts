import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { getChurch } from '#db/church/operations.ts'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testCall } from '#db/fixtures.ts'
import { rsvp, rsvpInTerminal, rsvpProcess, testDatabase } from '../fixtures.ts'

const { url, folder } = testDatabase()
const church = (...words: string[]) => rsvp(url, ['church', ...words])
const stored = () => getChurch(testCall())
const picture = join(folder, 'church.png')

beforeAll(async () => {
  writeFileSync(picture, await testPicture({ format: 'png' }))
  writeFileSync(join(folder, 'church.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})

describe('rsvp church', () => {
  it('shows that nothing is said of it at first', async () => {
    const stdout = 'Name\tnone\nAccent\tnone\nPicture\tnone\nPicture shows\tnone\n'
    expect(await church('show')).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it('changes what is given, shows all of it and removes what is empty', async () => {
    const set = await church('set', '--name', 'Grace Church', '--accent', '#0B5D66')
    expect(set).toMatchObject({ code: 0, stderr: '' })
    expect(set.stdout).toMatch(/^Name\tGrace Church\nAccent\t#0b5d66\n/)
    const json = JSON.parse((await church('set', '--alt', 'The church in spring', '--json')).stdout)
    expect(json).toEqual(await stored())
    expect(json).toMatchObject({ name: 'Grace Church', accent: '#0b5d66', pictureAlt: 'The church in spring' })
    expect((await church('set', '--accent', 'none', '--alt', '', '--quiet')).stdout).toBe('')
    expect(await stored()).toMatchObject({ name: 'Grace Church', accent: null, pictureAlt: null })
  })

  it('stores a picture, also as a process of its own, and removes it', async () => {
    const { code, stdout, stderr } = await rsvpProcess(url, ['church', 'picture', picture, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual(await stored())
    expect((await stored()).picture?.sizes.map(({ width }) => width)).toEqual([800, 1000])
    expect((await church('show')).stdout).toContain('Picture\t1000 × 600 pixels\n')
    expect((await church('picture', '--remove')).stdout).toContain('Picture\tnone\n')
    expect((await stored()).picture).toBeNull()
  })

  it('draws it on a terminal', async () => {
    const terminal = rsvpInTerminal(url, ['church', 'show'], { columns: 80 })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^Name +.*\nAccent +.*\nPicture +.*\nPicture shows +/m)
  })

  it.each<[string[], number, RegExp]>([
    [['set'], 2, /^Say what to change, e\.g\. `rsvp church set --name /],
    [['set', '--accent', 'teal'], 2, /^A color is written as # with six digits from 0 to f, e\.g\. #6a3460\.\n/],
    [['set', '--name', 'x'.repeat(81)], 2, /^The name of the church may have at most 80 characters\./],
    [['picture'], 2, /^Name one picture, or say --remove\./],
    [['picture', picture, '--remove'], 2, /^Name one picture, or say --remove\./],
    [['picture', 'missing.jpg'], 3, /^There is no such file: /],
    [['picture', folder], 1, / is a pipe, a device or a folder, and not a file\. /],
    [['picture', '/dev/zero'], 1, / is a pipe, a device or a folder, and not a file\. /],
    [['picture', join(folder, 'church.svg')], 1, /Save it as JPEG/],
  ])('refuses %j', async (words, code, sentence) => {
    const before = await stored()
    const refused = await church(...words)
    expect(refused).toMatchObject({ code, stdout: '' })
    expect(refused.stderr).toMatch(sentence)
    expect(await stored()).toEqual(before)
  })
})
