import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { signChecksums, writeChecksums } from '../../scripts/release/archive.mjs'
import { RELEASE_KEY } from './release.ts'
import { program } from './site.ts'
import { findRelease, installBeside } from './take-release.ts'

const root = vi.hoisted(() => {
  process.env.RSVP_SYSTEM_ROOT = `/tmp/rsvp-take-release-${process.pid}`
  return process.env.RSVP_SYSTEM_ROOT
})
const home = join(root, 'home')
const owned = join(root, 'owned')
const platform = `linux-${process.arch}`
const archive = `rsvp-1.6.0-${platform}.tar.gz`
const list = join(home, 'SHA256SUMS')
const signature = `${list}.sig`
const makers = generateKeyPairSync('ed25519')

/** A release that leaves a trace where anything of it is run. */
function makeRelease(change: (folder: string) => unknown = () => {}): void {
  const folder = join(home, 'v1.6.0')
  for (const part of ['cli', 'builds/packed']) mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.6.0" }')
  writeFileSync(join(folder, 'cli/rsvp'), `#!/bin/sh\ntouch ${owned}; echo 1.6.0\n`, { mode: 0o755 })
  change(folder)
  spawnSync('tar', ['--create', '--gzip', '--file', archive, 'v1.6.0'], { cwd: home })
}

/** As `npm run release` does it, with a list to which something happens. */
function sign(change = (text: string) => text, key = makers.privateKey): void {
  writeChecksums([join(home, archive)], list)
  writeFileSync(list, change(readFileSync(list, 'utf8')))
  signChecksums(list, key)
}

const take = async (source?: string, options = {}) => installBeside(await findRelease(source, options, home))
const pipe = (file: string) => {
  rmSync(file)
  spawnSync('mkfifo', [file])
}

beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  for (const folder of [home, program.current]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(program.current, RELEASE_KEY), makers.publicKey.export({ type: 'spki', format: 'pem' }))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.runIf(process.getuid?.() === 0)('a release', () => {
  it('is installed from an archive that is proved to be ours', async () => {
    makeRelease()
    sign()
    expect(await take(archive)).toEqual({ version: '1.6.0', folder: join(program.releases, '1.6.0') })
    expect([readdirSync(program.releases), existsSync(owned)]).toEqual([['1.6.0'], true])
  })

  const device = (folder: string) => spawnSync('mknod', ['device', 'c', '1', '5'], { cwd: folder })
  const link = (folder: string) => spawnSync('ln', ['-s', '/etc', 'link'], { cwd: folder })
  it.each<[string, string, () => unknown]>([
    ['has no signature', 'SHA256SUMS and its signature, SHA256SUMS.sig, must be beside it', () => rmSync(signature)],
    ['is signed by others', 'was not made with the key', () => sign(String, generateKeyPairSync('ed25519').privateKey)],
    ['has another list than was signed', 'was not made with the key', () => appendFileSync(list, '\r')],
    ['is not in its list', 'does not name', () => sign((text) => text.replace('1.6.0', '1.5.0'))],
    ['has another hash', 'is damaged', () => sign((text) => text.replace(/^.{8}/, '01234567'))],
    [
      'has changed since',
      'is damaged, or does not run on this computer. Download',
      () => appendFileSync(join(home, archive), 'x'),
    ],
    ['has a pipe for a signature', 'SHA256SUMS.sig is a pipe', () => pipe(signature)],
    ['is a pipe', 'is a pipe', () => pipe(join(home, archive))],
    [
      'has a link that leads out',
      'contains link, which is a device or points outside',
      () => makeRelease(link) ?? sign(),
    ],
    ['has a device in it', 'contains device, which is a device or points outside', () => makeRelease(device) ?? sign()],
  ])('that %s is not run', async (_, sentence, attack) => {
    makeRelease()
    sign()
    attack()
    await expect(take(archive)).rejects.toThrow(sentence)
    expect([existsSync(owned), existsSync(program.releases), readdirSync(program.folder)]).toEqual([
      false,
      false,
      ['current'],
    ])
  })

  it('that is cut off is damaged, also where its list says so', async () => {
    makeRelease()
    writeFileSync(join(home, archive), readFileSync(join(home, archive)).subarray(0, 100))
    sign()
    await expect(take(archive)).rejects.toThrow('is damaged')
  })

  const other = `rsvp-1.2.0-linux-${process.arch === 'x64' ? 'arm64' : 'x64'}.tar.gz`
  it.each<[string, string | undefined, object, number, string]>([
    ['an unpacked one', 'v1.6.0', {}, 1, 'v1.6.0 is unpacked, and no signature proves what is in it.'],
    ['one for another computer', other, {}, 2, `and this computer is ${platform}. Take the one whose name ends with`],
    ['a text', 'notes.txt', {}, 2, 'notes.txt is no archive of a release.'],
    ['an empty folder', 'empty', {}, 3, `There is no release for ${platform} in ${home}/empty.`],
    ['what is not there', 'missing', {}, 3, `There is no ${home}/missing.`],
    ['another version', undefined, { to: '7.0.0' }, 3, `There is no release 7.0.0 for ${platform} in ${home}.`],
  ])('is not %s', async (_, source, options, exitCode, sentence) => {
    makeRelease()
    for (const name of [other, 'notes.txt']) writeFileSync(join(home, name), '')
    mkdirSync(join(home, 'empty'))
    await expect(take(source, options)).rejects.toMatchObject({ exitCode, message: expect.stringContaining(sentence) })
  })
})
