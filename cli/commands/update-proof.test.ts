import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inTerminal } from '../installation-fixtures.ts'
import { runningSystem } from '../running-service-fixtures.ts'

const platform = `linux-${process.arch}`

describe.runIf(process.getuid?.() === 0)('rsvp update', () => {
  it('runs nothing of an archive that is not proved to be ours', async () => {
    const running = await runningSystem('proof')
    onTestFinished(() => running.stop())
    const { rsvp, home, root, has, releases, env, pack, sign } = running
    const before = releases()
    const folder = join(home, 'v1.6.0')
    /** A release that leaves a trace where anything of it is run. */
    function makeEvil(): string {
      for (const part of ['cli', 'builds/packed']) mkdirSync(join(folder, part), { recursive: true })
      writeFileSync(join(folder, 'package.json'), '{ "version": "1.6.0" }')
      writeFileSync(join(folder, 'cli/rsvp'), '#!/bin/sh\ntouch "$SYSTEM/owned"; echo 1.6.0\n', { mode: 0o755 })
      return `rsvp-1.6.0-${platform}.tar.gz`
    }
    const archive = makeEvil()
    pack('1.6.0')
    const [list, signature] = ['SHA256SUMS', 'SHA256SUMS.sig'].map((name) => join(home, name)) as [string, string]
    const attacks: [string, () => unknown][] = [
      ['SHA256SUMS and its signature, SHA256SUMS.sig, have to lie beside it', () => rmSync(list, { force: true })],
      ['have to lie beside it', () => sign(archive) ?? rmSync(signature)],
      ['the signature in SHA256SUMS.sig is not of', () => writeFileSync(signature, Buffer.alloc(64))],
      [
        'the signature in SHA256SUMS.sig is not of',
        () => sign(archive, { key: generateKeyPairSync('ed25519').privateKey }),
      ],
      ['is not of the makers', () => sign(archive) ?? appendFileSync(list, '\r')],
      ['does not name', () => sign(archive, { change: (text) => text.replace('1.6.0', '1.5.0') })],
      ['is damaged', () => sign(archive, { change: (text) => text.replace(/^.{8}/, '01234567') })],
      ['SHA256SUMS.sig is a pipe', () => rmSync(signature) ?? spawnSync('mkfifo', [signature])],
    ]
    for (const [sentence, attack] of attacks) {
      attack()
      expect(rsvp(`update ${archive} --yes`)).toMatchObject({ stderr: expect.stringContaining(sentence) })
    }
    rmSync(signature)
    sign(archive)
    rmSync(join(home, archive))
    spawnSync('mkfifo', [join(home, archive)])
    expect(rsvp(`update ${archive} --yes`)).toMatchObject({ stderr: expect.stringContaining('is a pipe') })
    rmSync(join(home, archive))

    const outward: [string, string, string[]][] = [
      ['link', 'ln', ['-s', '/etc', 'link']],
      ['device', 'mknod', ['device', 'c', '1', '5']],
      ['pipe', 'mkfifo', ['pipe']],
    ]
    for (const [name, tool, words] of outward) {
      makeEvil()
      spawnSync(tool, words, { cwd: folder })
      pack('1.6.0')
      sign(archive)
      const refused = expect.stringContaining(`has ${name}, which is a device or leads out of it`)
      expect(rsvp(`update ${archive} --yes`)).toMatchObject({ code: 1, stderr: refused })
    }

    makeEvil()
    expect(rsvp('update v1.6.0 --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('v1.6.0 is unpacked, and no signature proves what is in it.'),
    })
    expect(rsvp(`update ${archive} --unsigned --yes`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No terminal to confirm on: --unsigned asks there'),
    })
    const variables = `RSVP_SYSTEM_ROOT=${root} SYSTEM=${root} PATH='${env.PATH}'`
    const line = `cd ${home}; ${variables} ${root}/usr/local/bin/rsvp update ${archive} --unsigned --yes`
    const { enter, ended, screen } = inTerminal('sh', '-c', line)
    await enter('Type 1.6.0 to run it:', 'yes')
    expect([await ended, screen()]).toEqual([1, expect.stringContaining('Nothing was changed.')])
    expect([has('owned'), has('opt/rsvp/incoming'), releases()]).toEqual([false, false, before])
  })
})
