import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { localNode, root } from '../local-node.mjs'

const one = '1'.repeat(16)
const two = '2'.repeat(16)
const three = '3'.repeat(16)

let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'rsvp-builds-'))
  cpSync(join(root, 'scripts'), join(place, 'scripts'), { recursive: true })
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** Runs one line of script in the project and returns its standard error. */
function run(line: string): string {
  const script = `import * as builds from './scripts/build/builds.mjs'; ${line}`
  return spawnSync(localNode(), ['--input-type=module', '-e', script], { cwd: place, encoding: 'utf8' }).stderr
}

/** Makes a build with its name in a file `name`, and switches to it. */
function build(name: string): string {
  return run(`builds.beginBuild()
    ;(await import('node:fs')).writeFileSync(builds.next + '/name', '${name}')
    builds.switchTo(builds.keepBuild('${name}'))`)
}

const inUse = () => readFileSync(join(place, 'dist/name'), 'utf8')
const isThere = (path: string) => existsSync(join(place, path))

describe('builds', () => {
  it('are kept: the current and the previous one, and no older one', () => {
    for (const name of [one, two, three]) expect([build(name), inUse()]).toEqual(['', name])
    expect([one, two, three].map((name) => isThere(`builds/${name}`))).toEqual([false, true, true])
  })

  it('leave other files beside them alone', () => {
    mkdirSync(join(place, 'builds/lost+found'), { recursive: true })
    writeFileSync(join(place, 'builds/notes.txt'), '')
    for (const name of [one, two]) expect([build(name), inUse()]).toEqual(['', name])
    expect(isThere('builds/notes.txt') && isThere('builds/lost+found')).toBe(true)
  })

  it('succeed although an old one cannot be removed', ({ skip }) => {
    for (const name of [one, two]) build(name)
    const flagged = spawnSync('chattr', ['+i', join(place, 'builds', one, 'name')]).status === 0
    skip(!flagged, 'Not every file system protects files from root.')
    const said = build(three)
    spawnSync('chattr', ['-i', join(place, 'builds', one, 'name')])
    expect(said).toBe(`The old build ${join(place, 'builds', one)} cannot be removed (EPERM): remove it by hand.\n`)
    expect(inUse()).toBe(three)
  })

  it('replace the folder of an interrupted build without a server', () => {
    mkdirSync(join(place, 'dist/client'), { recursive: true })
    expect([build(one), inUse()]).toEqual(['', one])
    expect(isThere('builds/before/client')).toBe(true)
  })

  it('work through a symlink', () => {
    mkdirSync(join(place, 'elsewhere'))
    symlinkSync('elsewhere', join(place, 'builds'))
    for (const name of [one, two]) expect([build(name), inUse()]).toEqual(['', name])
    expect(run(`builds.discardBuild(builds.findBuild('${two}'))`)).toBe('')
    expect([one, two].map((name) => isThere(`builds/${name}/name`))).toEqual([true, true])
  })

  it('are refused where Node would not find their packages', () => {
    const far = mkdtempSync(join(tmpdir(), 'rsvp-far-'))
    symlinkSync(far, join(place, 'builds'))
    expect(run('builds.beginBuild()')).toContain(`builds is a link to ${far}, from where Node finds no packages. `)
    expect(existsSync(join(far, 'next'))).toBe(false)
    rmSync(far, { recursive: true })
  })
})
