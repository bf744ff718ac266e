import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findSite, projectRoot } from '#db/config/places.ts'
import { systemFile } from './system-files.ts'

const settings = {
  publicUrl: 'https://rsvp.example.org',
  port: 4321,
  databaseUrl: `file:${join(projectRoot, 'data', 'rsvp.db')}`,
  backupFolder: undefined,
}
const page = readFileSync(join(projectRoot, 'docs', 'operating.md'), 'utf8')
const blocks = Array.from(page.matchAll(/^```\w+\n(.*?)^```$/gms), ([, block = '']) => block)

describe('docs/operating.md', () => {
  it('shows the unit of systemd that rsvp init prints, for another account and folder', () => {
    const printed = systemFile('systemd', settings, findSite({}))
    const shown = printed.replaceAll(projectRoot, '/srv/rsvp').replace(`User=${userInfo().username}\n`, 'User=rsvp\n')
    expect(blocks).toContain(shown)
  })

  it('shows the Caddyfile that rsvp init prints', () => {
    expect(blocks).toContain(systemFile('caddy', settings, findSite({})))
  })
})
