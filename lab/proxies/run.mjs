// Runs the built site behind nginx, Caddy and HAProxy, configured as in docs/operating.md and with as little as possible,
// and checks what must hold there. Usage: npm run proxies [-- NAME…], e.g. `npm run proxies -- caddy`.
//
// Skips proxies that are not installed, and says so. Prints a table; ends with exit code 1 where there are findings.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../scripts/local-node.mjs'
import { Failure, finish } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { password, secret } from './attempts.mjs'
import { guardedChecks, openChecks } from './checks.mjs'
import { ownAllowance, sharedAllowance } from './limits.mjs'
import { setups } from './setups.mjs'
import { isInstalled, name, startProxy } from './start.mjs'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-proxies-'))
const filled = join(folder, 'filled.db')
const checks = Object.keys({ ...openChecks, ...guardedChecks, ...ownAllowance, ...sharedAllowance })
const chosen = process.argv.slice(2)

finish(async () => {
  const installed = [...new Set(setups.map(({ proxy }) => proxy))].filter(isUsable)
  const rows = []
  try {
    fill()
    for (const setup of setups.filter(({ proxy }) => installed.includes(proxy))) rows.push(await tryAll(setup))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  print(rows)
  const found = rows.flatMap(({ setup, results }) =>
    Object.entries(results).flatMap(([check, list]) => list.map((wrong) => `${setup.name}, ${check}: ${wrong}`)),
  )
  if (rows.length === 0) throw new Failure('No proxy was tried.')
  if (found.length > 0) throw new Failure(`\n${found.join('\n')}\n\n${found.length} findings.`)
})

function isUsable(proxy) {
  if (chosen.length > 0 && !chosen.includes(proxy)) return false
  const usable = isInstalled(proxy)
  if (!usable) console.log(`${proxy} is not installed, so it was skipped: \`apt-get install ${proxy}\`.`)
  return usable
}

/** Creates a database with many RSVPs. Each site gets a copy. */
function fill() {
  const env = { ...process.env, DATABASE_URL: `file:${filled}` }
  for (const words of ['init --yes', 'add --samples 2000']) {
    const { status, stderr } = spawnSync(join(root, 'cli', 'rsvp'), [...words.split(' '), '--quiet'], { env })
    if (status !== 0) throw new Failure(`The sample RSVPs could not be created:\n${stderr}`)
  }
}

async function tryAll(setup) {
  const origin = `${setup.https ? 'https' : 'http'}://${name}`
  const guarded = { ADMIN_PASSWORD: password, PUBLIC_URL: origin }
  const trusting = { ...guarded, TRUSTED_PROXIES: '127.0.0.1' }
  const open = Object.fromEntries(Object.entries(openChecks).filter(([check]) => !setup.unseen?.includes(check)))
  const results = {
    ...(await tryOn(setup, {}, open)),
    ...(await tryOn(setup, setup.tellsClient ? trusting : guarded, guardedChecks)),
    ...(await tryOn(setup, guarded, sharedAllowance)),
    ...(setup.tellsClient && (await tryOn(setup, trusting, ownAllowance))),
  }
  return { setup, results }
}

async function tryOn(setup, variables, checks) {
  const database = join(folder, 'rsvp.db')
  copyFileSync(filled, database)
  const none = { TRUSTED_PROXIES: '', ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '', RSVP_POST_LIMIT: '' }
  const site = await startBuiltServer({ ...none, ...variables, DATABASE_URL: `file:${database}` })
  const proxy = await startProxy(setup, new URL(site.url).host).catch(async (error) => {
    await site.stop()
    throw error
  })
  try {
    const through = {
      ...setup,
      send: proxy.send,
      origin: variables.PUBLIC_URL,
      ...(checks === guardedChecks && (await prepare(site))),
    }
    const results = {}
    for (const [check, run] of Object.entries(checks)) {
      results[check] = await run(through).catch((error) => [error.message])
      process.stderr.write(results[check].length > 0 ? 'F' : '.')
    }
    return results
  } finally {
    await proxy.stop()
    await site.stop()
    rmSync(database, { force: true })
  }
}

/** Creates a session, and an RSVP with text that no visitor may see; directly at the site. */
async function prepare({ url }) {
  const headers = { 'content-type': 'application/json' }
  const rsvp = { name: 'Canary', email: secret, message: secret, attending: true }
  const send = (path, json) => fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(json) })
  const cookie = (await send('/api/session', { password })).headers.get('set-cookie')?.split(';')[0]
  return { cookie, stored: (await (await send('/api/rsvp', rsvp)).json()).id }
}

function print(rows) {
  const cell = (list) => (list === undefined ? '–' : list.length === 0 ? 'ok' : `${list.length} found`)
  const table = [
    ['', ...rows.map(({ setup }) => setup.name)],
    ...checks.map((check) => [check, ...rows.map(({ results }) => cell(results[check]))]),
  ]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const lines = table.map((row) => row.map((text, column) => text.padEnd(widths[column])).join('  '))
  console.log(`\n${lines.map((line) => line.trimEnd()).join('\n')}`)
}
