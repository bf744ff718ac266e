// Tries an archive: starts it without anything else, as a church would, and stores an RSVP.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { request, trySite } from '../build/try-site.mjs'
import { Failure } from '../run.mjs'

const body = JSON.stringify({
  name: 'Ana Cole',
  email: 'ana@example.org',
  attending: true,
  familyMembers: [],
  volunteerRoles: [],
})

/**
 * With an empty environment and in an empty folder beside it: no Node, no npm and no settings of this machine.
 * @param {string} place the unpacked folder
 * @throws Failure if it does not work.
 */
export async function proveUnpacked(place, version) {
  const surroundings = { cwd: join(dirname(place), 'a site'), env: { PORT: '0', PATH: '/usr/bin:/bin' } }
  mkdirSync(surroundings.cwd)
  const command = join(place, 'cli', 'rsvp')
  const rsvp = (...words) => spawnSync(command, words, { ...surroundings, encoding: 'utf8' })
  const said = rsvp('--version')
  if (said.stdout !== `${version}\n`) throw failed(`\`rsvp --version\` said ${said.stdout}${said.stderr}`)

  try {
    await trySite([command, 'serve'], surroundings, async (url) => {
      await request(`${url}/api/rsvp`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const list = rsvp('list', '--json')
      if (JSON.parse(list.stdout || '[]').length !== 1) {
        throw new Error(`\`rsvp list\` said ${list.stdout}${list.stderr}`)
      }
    })
  } catch (error) {
    throw failed(`${error.message}\n${error.output}`)
  }
}

function failed(what) {
  return new Failure(`${what}\nWhat was made does not run, see above.`)
}
