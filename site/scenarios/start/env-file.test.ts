import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyProject } from '../../../scripts/testing/copy-project.mjs'
import { freePort } from '../../../scripts/testing/free-port.mjs'

it('reads .env beside package.json, with paths relative to it, wherever it was started from', async () => {
  const project = mkdtempSync(join(tmpdir(), 'rsvp-project-'))
  copyProject(['package.json', 'dist', 'db/migrations'], project)
  symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'))
  const port = await freePort()
  writeFileSync(
    join(project, '.env'),
    `PORT=${port}\nDATABASE_URL=file:./parish/rsvps.db\nLOG_LEVEL=silent\nBACKUP_TIME=03:30#4\n`,
  )

  const server = spawn(process.execPath, [join(project, 'dist/server/entry.mjs')], { cwd: '/', env: {} })
  let warned = ''
  server.stderr.on('data', (text) => (warned += text))
  const [printed] = await once(server.stdout, 'data')
  server.kill('SIGTERM')
  const [code] = await once(server, 'close')

  expect(String(printed)).toMatch(`The RSVP site is ready at http://localhost:${port}\n`)
  expect(warned).toMatch(/^BACKUP_TIME in \.env is read only as far as its #\. .+\n$/)
  expect(existsSync(join(project, 'parish/rsvps.db'))).toBe(true)
  expect(code).toBe(0)
  rmSync(project, { recursive: true })
})
