import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { testResponses } from '../fixtures.ts'

// What a command loads and runs is what its start takes: see docs/decisions/builds.md.

const { folder, url } = testResponses(1)
const command = fileURLToPath(new URL('../rsvp', import.meta.url))

type Coverage = { result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[] }

/** Runs a command and returns the files that it loaded, and the modules in them that were run. */
function loadedBy(...words: string[]): { files: string[]; modules: string[]; packages: string[] } {
  const covered = mkdtempSync(join(folder, 'coverage-'))
  const env = { ...process.env, DATABASE_URL: url, NODE_V8_COVERAGE: covered }
  const { status, stderr } = spawnSync(command, words, { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  const [file = ''] = readdirSync(covered)
  const { result }: Coverage = JSON.parse(readFileSync(join(covered, file), 'utf8'))
  const loaded = result.filter((one) => one.url.startsWith('file:'))
  // The bundler makes every module a function that is named after its file.
  const modules = loaded.flatMap(({ functions }) =>
    functions.flatMap(({ functionName, ranges: [whole] }) =>
      /\.[cm]?[jt]sx?$/.test(functionName) && whole !== undefined && whole.count > 0 ? functionName : [],
    ),
  )
  const packages = modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  return {
    files: loaded.map((one) => one.url.slice(one.url.lastIndexOf('/') + 1)).toSorted(),
    modules,
    packages: Array.from(new Set(packages)).toSorted(),
  }
}

describe('the files that a command loads', () => {
  it('are two for help, without a library but commander', () => {
    const { files, packages } = loadedBy('--help')
    expect(files).toEqual(['launcher.cjs', 'rsvp.js'])
    expect(packages).toEqual([])
  })

  it('are three for a list in a pipe, of which no screen is run', () => {
    const { files, modules, packages } = loadedBy('list')
    expect(files).toEqual(['late.js', 'launcher.cjs', 'rsvp.js'])
    // The zone of the church tells which week it is.
    expect(packages).toEqual([
      '@date-fns/tz',
      '@neon-rs/load',
      'date-fns',
      'detect-libc',
      'drizzle-orm',
      'libsql',
      'zod',
    ])
    expect(modules.filter((path) => path.endsWith('.tsx'))).toEqual([])
    expect(modules.filter((path) => /db.rsvp.(submit|retention|public-name.public-name)/.test(path))).toEqual([])
  })

  it('run no screen for an export', () => {
    expect(loadedBy('export', '--out', '-').packages.filter((name) => /react|ink/.test(name))).toEqual([])
  })

  it('have what all commands share once', () => {
    const { modules } = loadedBy('list')
    expect(modules).toEqual(expect.arrayContaining(['db/errors.ts', 'cli/exit-code.ts', 'db/storage/client.ts']))
    const first = readFileSync(new URL('../../dist/cli/rsvp.js', import.meta.url), 'utf8')
    expect(/(UserError|CommandError) ?= ?class/.test(first)).toBe(false)
  })
})
