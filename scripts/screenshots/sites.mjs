// The sites for the pictures: built servers with the same databases in every run, a stopped clock, and a browser.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium as playwrightChromium } from '@playwright/test'
import { sampleRsvp } from '#db/rsvp/sample.ts'
import { send } from '../../lab/load.ts'
import { Random } from '../../lab/random.ts'
import { startBuiltServer } from '../testing/built-server.mjs'
import { chromium } from '../testing/chromium.mjs'
import { faketime } from '../testing/faketime.mjs'
import { freePort } from '../testing/free-port.mjs'
import { withOverrides } from '../testing/overrides.mjs'

/** A Thursday: the service is on Saturday at 10:00. */
export const NOW = new Date('2026-11-19T18:00:00Z')
export const PASSWORD = 'a password for pictures'

const HOUR_MS = 60 * 60_000
const WEEK_MS = 7 * 24 * HOUR_MS
/** How long before now the last response of a week came. */
const LAST_MS = HOUR_MS / 2

/** How many responses are stored for each week, this one last. */
const weeks = {
  empty: [],
  typical: [6, 14],
  full: [...Array.from({ length: 12 }, () => 30), 140],
  documents: [4, 3, 5, 6, 4, 7, 6, 5, 8, 6, 7, 9, 6],
}
/** How a site differs from the one whose responses it has. */
const kinds = {
  guarded: { of: 'typical', variables: { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off', ...withOverrides() } },
  skipped: { of: 'typical', schedule: { skippedDates: ['2026-11-21'] } },
  closed: { of: 'typical', schedule: { closesMinutesBefore: 4320 } },
}

/** The latest responses of this week: extremes for the screens, and ordinary families for the documents. */
const unusual = [
  {
    name: 'Bartholomew Featherstonehaugh-Wolfeschlegelstein',
    email: 'bartholomew.featherstonehaugh-wolfeschlegelstein@a-very-long-domain-name.example',
    phone: '+1 (555) 010-0142 extension 7',
    message:
      'We arrive late, at about half past ten, and bring two cakes.\nPlease keep four seats near the door: my mother walks with a frame.',
    attending: true,
    familyMembers: [
      { name: 'Anne-Marie Featherstonehaugh-Wolfeschlegelstein', age: 'adult' },
      { name: 'Theodore', age: 'child' },
    ],
    volunteerRoles: [1, 3],
  },
  { name: 'Jo', email: 'jo@example.org', attending: false, message: 'שבת שלום, next week again!' },
]
const families = [
  { name: 'Samuel Okafor', familyMembers: [{ name: 'Joy Okafor', age: 'adult' }], volunteerRoles: [1] },
  { name: 'Lydia Meyer', attending: false, message: 'Please pray for my mother this week.' },
  { name: 'Marco Santos', familyMembers: [{ name: 'Tiago Santos', age: 'child' }], volunteerRoles: [3] },
  { name: 'Esther Kim', phone: '555-0117', volunteerRoles: [2, 4] },
  { name: 'Noemi Johansson', familyMembers: [{ name: 'Elsa Johansson', age: 'teen' }] },
  { name: 'Ruth Haddad', message: 'We bring bread for the meal.', volunteerRoles: [6] },
].map((family) => ({ email: `${family.name.toLowerCase().replace(' ', '.')}@example.org`, attending: true, ...family }))

/**
 * Starts sites on first use, each on a fixed port.
 * @param {{ site: string }[]} screens
 * @param {string[]} [flags] of the browser
 */
export async function openSites(screens, flags = []) {
  const names = [...new Set(screens.map(({ site }) => site))]
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-screenshots-'))
  const LD_PRELOAD = await faketime()
  const filled = new Map()
  const started = new Map()
  const ports = new Map()
  for (const name of names) ports.set(name, await freePort())
  const rules = names.map((name, place) => `MAP localhost:${4001 + place} 127.0.0.1:${ports.get(name)}`)
  const browser = await playwrightChromium.launch({
    executablePath: await chromium(),
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${rules.join(',')}`, ...flags],
  })

  return {
    browser,
    /** Where browsers find the sites, e.g. `http://localhost:4001`: pages and pictures show this address. */
    address: (name) => `http://localhost:${4001 + names.indexOf(name)}`,
    start: (name) => once(started, name, () => start(name)),
    async close() {
      await browser.close()
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
    const environment = { ...environmentAt(copy), PORT: String(ports.get(name)), ...variables }
    const { stop, url } = await startBuiltServer(environment)
    if (schedule) await send(url, 'PATCH /api/schedule', schedule)
    return { stop, url, link }
  }

  /**
   * Stores responses with the calls of browsers while the clock advances through the weeks, then stops the process.
   * Also returns the private link of the last response, e.g. `/answer?key=…`.
   */
  async function fill(name) {
    const file = join(folder, `${name} filled.db`)
    if (weeks[name].length === 0) return { file }
    const { url, stop } = await startBuiltServer(environmentAt(file))
    const random = new Random(1)
    setClock(file, new Date(NOW.getTime() - weeks[name].length * WEEK_MS))
    await send(url, 'PATCH /api/schedule', { weekday: 6, startTime: '10:00', timeZone: 'UTC' })
    // Filled: one of two, none of one, and one of one.
    for (const [role, needed] of [2, 1, 1].entries())
      await send(url, `PATCH /api/volunteer-roles/${role + 1}`, { needed })
    const last = name === 'documents' ? families : unusual
    let link
    for (const [place, count] of weeks[name].entries()) {
      const left = weeks[name].length - 1 - place
      const end = NOW.getTime() - left * WEEK_MS - LAST_MS
      for (let number = 1; number <= count; number++) {
        setClock(file, new Date(end - ((count - number) * 5 * 24 * HOUR_MS) / count))
        // Only with roles that are never full: others would be refused.
        const response = (left === 0 && last[count - number]) || sampleRsvp(() => random.next(), [4, 5, 6])
        const { body } = await send(url, 'POST /api/rsvp', response)
        link = new URL(JSON.parse(body).link)
      }
    }
    await stop()
    return { file, link: link.pathname + link.search }
  }

  function environmentAt(file) {
    setClock(file, NOW)
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

/** Without a leading sign, the moment makes the clock stand still. */
function setClock(file, moment) {
  writeFileSync(`${file}.clock`, moment.toISOString().slice(0, 19).replace('T', ' '))
}

function once(known, name, make) {
  if (!known.has(name)) known.set(name, make())
  return known.get(name)
}
