import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testResponses } from '../fixtures.ts'

// What a command loads is what its start takes: see docs/decisions/launcher.md.

const { folder, url } = testResponses(1)
const command = fileURLToPath(new URL('../rsvp', import.meta.url))

/** A text of each package that stays in its code however it is bundled. */
const marks = {
  react: /react\.transitional\.element/,
  ink: /Raw mode is not supported/,
  drizzle: /drizzle:entityKind/,
  zod: /_zod/,
  '@date-fns/tz': /TZDate/,
  libsql: /@neon-rs\/load/,
}

/** Runs a command and returns how many files it loaded, and which packages were in them. */
function loadedBy(...words: string[]): { files: number; packages: string[] } {
  const list = join(folder, 'loaded.json')
  const hook = join(folder, 'hook.cjs')
  writeFileSync(
    hook,
    `const urls = new Set()
    require('node:module').registerHooks({ load: (url, context, next) => { urls.add(url); return next(url, context) } })
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify([...urls])))`,
  )
  const env = { ...process.env, DATABASE_URL: url, NODE_OPTIONS: `--require ${hook}` }
  const { status, stderr } = spawnSync(command, words, { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const urls: string[] = JSON.parse(readFileSync(list, 'utf8'))
  const files = urls.filter((one) => /^file:.*js$/.test(one))
  const code = files.map((one) => readFileSync(fileURLToPath(one), 'utf8')).join('\n')
  return {
    files: files.length,
    packages: Object.keys(marks).filter((name) => marks[name as keyof typeof marks].test(code)),
  }
}

describe('the files that a command loads', () => {
  it('are few for help, and none of a library but commander', () => {
    const { files, packages } = loadedBy('--help')
    expect(packages).toEqual([])
    expect(files).toBeLessThanOrEqual(20)
  })

  it('hold no screen and no time zones for a list in a pipe', () => {
    const { files, packages } = loadedBy('list')
    expect(packages.toSorted()).toEqual(['drizzle', 'libsql', 'zod'])
    expect(files).toBeLessThanOrEqual(100)
  })

  it('hold no screen for an export', () => {
    expect(loadedBy('export', '--out', '-').packages.filter((name) => /react|ink/.test(name))).toEqual([])
  })
})
