import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/environment.ts'
import { root } from '../local-node.mjs'

const folder = join(root, 'containers')
const files = globSync('compose*.yaml', { cwd: folder }).sort()
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

describe.each(files)('containers/%s', (file) => {
  const text = read(file)

  it('sets variables that are settings', () => {
    const set = Array.from(text.matchAll(/^ {6}([A-Z][A-Z_]+):/gm), ([, name = '']) => name)
    expect(set).toContain('ADMIN_PASSWORD_FILE')
    expect(set.filter((name) => !(name in environment.shape))).toEqual([])
  })

  it('lets no site write to its root, nor get more rights than it has', () => {
    const sites = text.match(/^ {2,4}image: rsvp\n {2,4}restart: unless-stopped$/gm) ?? []
    expect(sites.length).toBe(1)
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]']) {
      expect(text.split(line).length - 1, line).toBe(1)
    }
  })

  it('mounts files that exist, but for the passwords, which are not committed', () => {
    const mounted = Array.from(text.matchAll(/"(\.\/[^:"]+):/g), ([, path = '']) => path)
    expect(mounted.filter((path) => !existsSync(join(folder, path)))).toEqual([])
    const secrets = Array.from(text.matchAll(/^ {4}file: \.\/(.+)$/gm), ([, path = '']) => path)
    expect(secrets.every((path) => /^password/.test(path))).toBe(true)
  })
})

describe('the image', () => {
  it('starts the site as its own account, with variables that are settings', () => {
    expect(files.length).toBe(3)
    const text = read('Dockerfile')
    expect(text).toMatch(/^USER 10001:10001$/m)
    const [, variables = ''] = /^ENV (.+)$/m.exec(text) ?? []
    const names = Array.from(variables.matchAll(/(\w+)=/g), ([, name = '']) => name)
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !(name in environment.shape))).toEqual([])
  })
})
