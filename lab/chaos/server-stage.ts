import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import { type Stored, storedOnServer } from '../stored.ts'
import { startCommands } from './commands.ts'
import { SERVER_KILLED } from './figures.ts'
import { setServiceDay, startLoad } from './load.ts'
import type { Stage } from './stage.ts'

const CRASHES_AT_MOST = 3
const LONGEST_UP_MS = 400
const LONGEST_DOWN_MS = 150
const SITE_KILLED = 0.25
const COMMANDS_KILLED = 0.3

type Site = Awaited<ReturnType<typeof startBuiltServer>>

/** Two sites on one libSQL server, which is killed and restarted in each round; in some rounds so is one of the sites. */
export async function serverStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-'))
  const server = await startLibsqlServer()
  const ledger = new Ledger()
  /** The sites that a load balancer would know. */
  const sites: Site[] = []
  const stage: Stage = {
    ledger,
    again: [],
    refusedIsNotStored: false,
    round,
    keep: (target) => cpSync(server.folder, target, { recursive: true }),
    stop,
  }
  try {
    const site = await startSite()
    sites.push(site)
    await setServiceDay(site.url, ledger)
    sites.push(await startSite())
  } catch (error) {
    await stop()
    throw error
  }
  return stage

  async function stop(): Promise<void> {
    await Promise.all(sites.map((site) => site.stop()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  async function round(random: Random): Promise<Stored> {
    const urls = () => sites.map(({ url }) => url)
    const place = { url: server.url, folder, ledger }
    const before = startCommands(place, random)
    const load = startLoad({ ...stage, random: random.fork(), sites: urls })
    try {
      await wait(random.below(LONGEST_UP_MS))
      if (random.chance(COMMANDS_KILLED)) for (const { kill } of before) kill()
      await Promise.all([crash(random), random.chance(SITE_KILLED) && crashSite(random)])
    } finally {
      await Promise.all([load.stop(), ...before.map(({ ended }) => ended)])
    }
    // Commands from before may find no server; these find it with everything that was stored meanwhile.
    await Promise.all(startCommands(place, random).map(({ ended }) => ended))
    return storedOnServer(server.url)
  }

  async function crash(random: Random): Promise<void> {
    for (let left = 1 + random.below(CRASHES_AT_MOST); left > 0; left--) {
      await server.kill()
      ledger.count(SERVER_KILLED)
      await wait(random.below(LONGEST_DOWN_MS))
      await server.start()
      await wait(random.below(LONGEST_UP_MS))
    }
  }

  async function crashSite(random: Random): Promise<void> {
    await wait(random.below(LONGEST_DOWN_MS))
    const [killed] = random.chance(0.5) ? sites.splice(0, 1) : sites.splice(1, 1)
    await killed?.kill()
    await killed?.stop()
    sites.push(await startSite())
  }

  function startSite(): Promise<Site> {
    return startBuiltServer({ DATABASE_URL: server.url })
  }
}
