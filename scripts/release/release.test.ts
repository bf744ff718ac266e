import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { list } from 'tar'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from '../local-node.mjs'
import { pack, signChecksums, writeChecksums } from './archive.mjs'
import { bundledParts, installedParts, licenseTexts, sbomOf } from './parts.mjs'
import { proveUnpacked } from './prove.mjs'
import { stage } from './stage.mjs'
import { changesOf, nameUnreleased, versionToRelease } from './version.mjs'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rsvp-release-test-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package of npm', () => {
  it('runs in an empty folder with nothing but the packages it depends on, and brings nothing of the site', async () => {
    const modules = join(folder, 'church', 'node_modules')
    const place = join(modules, 'rsvp')
    stage(place, '1.2.3')
    expect(readdirSync(place).sort()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'THIRD-PARTY-LICENSES.txt',
      'builds',
      'cli',
      'db',
      'docs',
      'lab',
      'package.json',
    ])
    expect(readdirSync(join(place, 'cli')).sort()).toEqual(['launcher.cjs', 'rsvp'])
    const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    // Where npm installs what they need, too.
    const needed = [...Object.keys(dependencies), '.bin', '@img', '@libsql', '@neon-rs', 'detect-libc', 'semver']
    for (const name of needed) {
      mkdirSync(join(modules, name, '..'), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
    }
    await proveUnpacked(place, '1.2.3')
    expect(readdirSync(join(modules, 'a site'))).toEqual(['data'])
  }, 60_000)
})

describe('an archive', () => {
  /** The same files, written in another order, at another time and under another umask. */
  function tree(name: string, files: string[], mode: number): string {
    const place = join(folder, name, 'rsvp-1.0.0')
    mkdirSync(join(place, 'cli'), { recursive: true })
    for (const file of files) {
      writeFileSync(join(place, file), file)
      chmodSync(join(place, file), file === 'cli/rsvp' ? mode | 0o100 : mode)
      utimesSync(join(place, file), new Date(mode * 1000), new Date(mode * 1000))
    }
    symlinkSync('rsvp', join(place, 'cli', 'link'))
    return place
  }

  it('is the same to the byte, and says who may do what', async () => {
    const files = ['LICENSE', 'cli/rsvp', 'cli/launcher.cjs']
    const time = new Date('2026-11-24T00:00:00Z')
    const first = join(folder, 'first.tar.gz')
    const second = join(folder, 'second.tar.gz')
    await pack(tree('one', files, 0o600), first, time)
    await pack(tree('two', files.toReversed(), 0o666), second, time)
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    const found: Record<string, string> = {}
    await list({
      file: first,
      onReadEntry: ({ path, mode, type }) => {
        found[path] = `${type} ${mode?.toString(8)}`
      },
    })
    expect(found).toEqual({
      'rsvp-1.0.0/LICENSE': 'File 644',
      'rsvp-1.0.0/cli/launcher.cjs': 'File 644',
      'rsvp-1.0.0/cli/link': expect.stringMatching('SymbolicLink'),
      'rsvp-1.0.0/cli/rsvp': 'File 755',
    })
    writeChecksums([first], join(folder, 'SHA256SUMS'))
    const sum = createHash('sha256').update(readFileSync(second)).digest('hex')
    expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(`${sum}  first.tar.gz\n`)
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    signChecksums(join(folder, 'SHA256SUMS'), privateKey)
    writeFileSync(join(folder, 'key.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
    // As anyone can check it.
    const words = '-verify -pubin -inkey key.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(' ')
    expect(execFileSync('openssl', ['pkeyutl', ...words], { cwd: folder, encoding: 'utf8' })).toMatch(/Success/)
  })
})

describe('the list of parts', () => {
  const parts = bundledParts()
  const time = new Date('2026-11-24T00:00:00Z')

  it('names what is bundled, each once, and is the same for the same release', () => {
    const bill = JSON.parse(sbomOf({ version: '1.0.0', time, parts }))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    expect(bill.metadata).toMatchObject({
      timestamp: time.toISOString(),
      component: { name: 'rsvp', version: '1.0.0' },
    })
    const purls: string[] = bill.components.map(({ purl }: { purl: string }) => purl)
    expect(purls).toEqual(
      expect.arrayContaining([expect.stringMatching(/^pkg:npm\/react@19/), expect.stringMatching('/fastify@')]),
    )
    expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/%40libsql\/client@/))
    expect(new Set(purls).size).toBe(parts.length)
    expect(sbomOf({ version: '1.0.0', time, parts })).toBe(
      sbomOf({ version: '1.0.0', time, parts: parts.toReversed() }),
    )
  })

  it('has the license of each, in words', () => {
    const texts = licenseTexts(parts)
    for (const { name, version } of parts) expect(texts).toContain(`${name} ${version} (`)
    expect(texts).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.')
  })

  it('finds every package in a folder, those of a scope as well', () => {
    const names = installedParts(join(root, 'node_modules', '@libsql')).map(({ name }) => name)
    expect(names).toContain('@libsql/client')
  })
})

describe('a version', () => {
  const project = join(folder, 'project')
  const git = (...words: string[]) => {
    const author = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org']
    return execFileSync('git', [...author, ...words], { cwd: project, encoding: 'utf8' }).trim()
  }

  it('is that of the tag on the commit, and otherwise lies between the last and the next', async () => {
    mkdirSync(project)
    git('init', '--quiet')
    writeFileSync(join(project, 'package.json'), '{ "version": "1.2.3" }')
    git('add', '.')
    git('commit', '--quiet', '--message', 'First')
    const commit = git('rev-parse', '--short=7', 'HEAD')
    expect(await versionToRelease(project)).toMatchObject({ version: `1.2.4-dev.1.g${commit}`, tag: undefined })
    git('tag', 'v1.2.3')
    expect(await versionToRelease(project)).toMatchObject({ version: '1.2.3', tag: 'v1.2.3' })
    writeFileSync(join(project, 'new'), '')
    expect(await versionToRelease(project)).toMatchObject({ version: `1.2.4-dev.1.g${commit}.changed` })
    rmSync(join(project, 'new'))
    git('tag', '--delete', 'v1.2.3')
    git('tag', 'v9.0.0')
    await expect(versionToRelease(project)).rejects.toThrow(
      'The tag v9.0.0 is on this commit, but package.json says 1.2.3',
    )
  })

  it('gives its name to what is unreleased in the changelog, which is then told of it', () => {
    const file = join(folder, 'CHANGELOG.md')
    writeFileSync(file, '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0, 2026-01-01\n\n- Old.\n')
    expect(changesOf(file, 'Unreleased')).toBe('# rsvp Unreleased\n\n- New.\n')
    nameUnreleased(file, '1.1.0', '2026-11-24')
    expect(changesOf(file, '1.1.0')).toBe('# rsvp 1.1.0, 2026-11-24\n\n- New.\n')
    expect(changesOf(file, '1.0.0')).toBe('# rsvp 1.0.0, 2026-01-01\n\n- Old.\n')
    expect(() => nameUnreleased(file, '1.2.0', '2026-11-25')).toThrow(
      'CHANGELOG.md has no unreleased changes: add them first.',
    )
    expect(() => changesOf(file, '3.0.0')).toThrow('CHANGELOG.md has nothing on 3.0.0')
  })
})
