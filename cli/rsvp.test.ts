import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyCommand, copyProject } from '../scripts/testing/copy-project.mjs'
import { inShell, testDatabase } from './fixtures.ts'

const { folder, url } = testDatabase()
const command = join(projectRoot, 'cli', 'rsvp')

/** A copy of what is installed, without packages. */
function installation(name: string, parts: string[]): string {
  const place = join(folder, name)
  copyProject(['cli/rsvp', 'package.json', ...parts], place)
  return place
}

/** Makes a folder for the PATH, with a Node that reports this version. */
function nodeOfVersion(version: string): string {
  const bin = join(folder, `node ${version}`)
  mkdirSync(bin, { recursive: true })
  const claim = `Object.defineProperty(process, 'version', { value: 'v${version}' })
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  writeFileSync(join(bin, 'claim.cjs'), claim)
  const script = `#!/bin/sh\nexec '${process.execPath}' --require '${bin}/claim.cjs' "$@"\n`
  writeFileSync(join(bin, 'node'), script, { mode: 0o755 })
  return bin
}

describe('the command', () => {
  const surroundings: [string, string][] = [
    ['with a PATH without any Node', 'cd "$HERE" && env -i PATH="$BIN" "$RSVP" features --db "$DATABASE_URL"'],
    [
      'with an old Node first, and a HOME that does not exist',
      `HOME=/nonexistent PATH="${nodeOfVersion('20.11.0')}:$PATH" "$RSVP" features`,
    ],
    [
      'through a link, in a folder that is a link, with the Node of the machine first and nothing to read from',
      'export PATH=/usr/bin:/bin; cd "$HERE"; ln -s "$PROJECT" project && ln -s project/cli/rsvp a && ./a features <&-',
    ],
  ]

  it.each(surroundings)('runs %s', async (_, line) => {
    const [here, bin] = [join(folder, 'a folder with blanks'), join(folder, 'bin')]
    for (const path of [here, bin]) mkdirSync(path, { recursive: true })
    if (!existsSync(join(bin, 'readlink'))) symlinkSync('/usr/bin/readlink', join(bin, 'readlink'))
    const env = { RSVP: command, HERE: here, BIN: bin, PROJECT: projectRoot, HOME: here }
    const { code, stdout, stderr } = await inShell(url, line, { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^calendarIntegration\ton\t/)
  })

  it('makes files that only this account can read, whatever the account is used to', async () => {
    const place = join(folder, 'umask')
    copyCommand(place)
    const readable = `find ${place} -perm /077 | sort`
    const before = await inShell(url, readable)
    const line = `umask 000; cd ${place} &&
      ${place}/cli/rsvp password --quiet --db data/rsvp.db <<< 'three quiet otters' &&
      ${place}/cli/rsvp export --out ${place}/ && ${readable}`
    expect(await inShell(url, line)).toEqual({ ...before, code: 0, stderr: '' })
    expect(readdirSync(place)).toEqual(expect.arrayContaining(['data', expect.stringMatching(/^rsvps-.+csv$/)]))
  })
})

describe('the command, where something is missing', () => {
  it('says that Node is too old, in a sentence, and so does the site that is started without it', async () => {
    const path = nodeOfVersion('22.11.0')
    const place = installation('without packages', ['dist/cli'])
    const sentence = 'This needs Node 22.12 or newer and found v22.11.0: '
    expect(await inShell(url, `env -i PATH="${path}:/usr/bin:/bin" "${place}/cli/rsvp" list`)).toMatchObject({
      ...{ code: 78, stdout: '' },
      stderr: expect.stringMatching(`^${sentence}.+ install Node 24 .+\n$`),
    })
    const site = `PATH="${path}:$PATH" node "${projectRoot}/dist/server/entry.mjs"`
    const stderr = expect.stringContaining(`${sentence}use \`npm start\``)
    expect(await inShell(url, site)).toMatchObject({ code: 78, stdout: '', stderr })
  })

  it('says that it is not built, in a sentence', async () => {
    const place = installation('not built', [])
    const path = nodeOfVersion('22.12.0')
    expect(await inShell(url, `PATH="${path}:$PATH" "${place}/cli/rsvp" list`)).toEqual({
      code: 1,
      stdout: '',
      stderr: `rsvp is not built yet: run \`npm start\` once in ${place}.\n`,
    })
  })
})
