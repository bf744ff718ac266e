// The sites whose screens are taken: built servers with databases that are the same in every run, and a clock that stands
// still.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuiltServer } from '../testing/built-server.mjs'
import { faketime } from '../testing/faketime.mjs'
import { freePort } from '../testing/free-port.mjs'
import { withOverrides } from '../testing/overrides.mjs'
import { send, storeResponses } from './responses.mjs'

/** A Thursday: the service is on Saturday at 10:00. */
export const NOW = new Date('2026-11-19T18:00:00Z')
export const PASSWORD = 'a password for pictures'

/** How many responses are stored for each week, this one last. */
const weeks = { empty: [], typical: [6, 14], full: [...Array.from({ length: 12 }, () => 30), 140] }

/** How a site differs from the one whose responses it has. */
const kinds = {
  guarded: { of: 'typical', variables: { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off', ...withOverrides() } },
  skipped: { of: 'typical', schedule: { skippedDates: ['2026-11-21'] } },
  closed: { of: 'typical', schedule: { closesMinutesBefore: 4320 } },
}

/** Sites are started when they are first asked for. @param {string[]} names of sites, each with a port that stays the same */
export async function openSites(names) {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-screenshots-'))
  const LD_PRELOAD = await faketime()
  const filled = new Map()
  const started = new Map()
  const ports = new Map()
  for (const name of names) ports.set(name, await freePort())

  return {
    /** Where browsers find the sites, e.g. `http://localhost:4001`: pages and pictures show this address. */
    address: (name) => `http://localhost:${4001 + names.indexOf(name)}`,
    rules: names.map((name, place) => `MAP localhost:${4001 + place} 127.0.0.1:${ports.get(name)}`).join(','),
    start: (name) => once(started, name, () => start(name)),
    async close() {
      await Promise.all((await Promise.allSettled(started.values())).map(({ value }) => value?.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }

  /** @param {string} name e.g. `typical`, or `typical thanks` for a site that one screen changes */
  async function start(name) {
    const [kind = ''] = name.split(' ')
    const { of = kind, variables, schedule } = kinds[kind] ?? {}
    const { file, link } = await once(filled, of, () => fill(of))
    const copy = join(folder, `${name}.db`)
    if (weeks[of].length > 0) copyFileSync(file, copy)
    const { stop, url } = await startBuiltServer({
      ...environment(copy, NOW),
      PORT: String(ports.get(name)),
      ...variables,
    })
    if (schedule) await send(url, 'PATCH /api/schedule', schedule)
    return { stop, url, link }
  }

  /** Stores responses while the clock goes through the weeks, and leaves the database without a process that uses it. */
  async function fill(name) {
    const file = join(folder, `${name} filled.db`)
    if (weeks[name].length === 0) return { file, link: undefined }
    const site = await startBuiltServer(environment(file, NOW))
    const link = await storeResponses(site.url, weeks[name], NOW, (moment) => setClock(file, moment))
    await site.stop()
    return { file, link }
  }

  function environment(file, moment) {
    setClock(file, moment)
    return {
      LD_PRELOAD,
      FAKETIME_TIMESTAMP_FILE: `${file}.clock`,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
      TZ: 'UTC',
      DATABASE_URL: `file:${file}`,
    }
  }
}

/** A moment without a sign in front makes the clock stand still. */
function setClock(file, moment) {
  writeFileSync(`${file}.clock`, moment.toISOString().slice(0, 19).replace('T', ' '))
}

function once(known, name, make) {
  if (!known.has(name)) known.set(name, make())
  return known.get(name)
}
