// Proves what was made: starts it with nothing else around, as a church would, and stores an RSVP.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../run.mjs'

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 60_000

/**
 * With an empty environment and in an empty folder: no Node, no npm and no settings of this machine.
 * @param {string} place the folder that was unpacked
 * @throws Failure where it does not do what it is for.
 */
export async function proveUnpacked(place, version) {
  const surroundings = { cwd: join(place, 'a site'), env: { PORT: '0', PATH: '/usr/bin:/bin' } }
  mkdirSync(surroundings.cwd)
  const command = join(place, 'cli', 'rsvp')
  const rsvp = (...words) => spawnSync(command, words, { ...surroundings, encoding: 'utf8' })
  const said = rsvp('--version')
  if (said.stdout !== `${version}\n`) throw failed(`\`rsvp --version\` said ${said.stdout}${said.stderr}`)

  const site = spawn(command, ['serve'], surroundings)
  let output = ''
  for (const stream of [site.stdout, site.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise((resolve) => site.once('close', resolve))
  try {
    const url = await addressOf(site, () => output)
    const page = await (await request(`${url}/share`)).text()
    for (const [, path] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) await request(url + path)
    const rsvpOfTest = {
      name: 'Ana Cole',
      email: 'ana@example.org',
      attending: true,
      familyMembers: [],
      volunteerRoles: [],
    }
    await request(`${url}/api/rsvp`, { 'content-type': 'application/json' }, JSON.stringify(rsvpOfTest))
    const list = rsvp('list', '--json')
    if (JSON.parse(list.stdout || '[]').length !== 1) throw failed(`\`rsvp list\` said ${list.stdout}${list.stderr}`)
  } catch (error) {
    throw error instanceof Failure ? error : failed(`${error.message}\n${output}`)
  } finally {
    site.kill('SIGTERM')
    await ended
  }
}

function addressOf(site, output) {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => reject(new Error('It was not ready in time.')), TIMEOUT_MS)
    site.once('close', () => {
      clearTimeout(waiting)
      reject(new Error('It ended.'))
    })
    site.stdout.on('data', () => {
      const port = /ready at \S+:(\d+)\n/.exec(output())?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })
}

async function request(address, headers = {}, body = undefined) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const method = body === undefined ? 'GET' : 'POST'
  const reply = await fetch(address, { method, body, headers: { ...headers, connection: 'close' }, signal })
  if (!reply.ok) throw new Error(`${new URL(address).pathname} replied ${reply.status}.`)
  return reply
}

function failed(what) {
  return new Failure(`${what}\nWhat was made does not run, see above.`)
}
