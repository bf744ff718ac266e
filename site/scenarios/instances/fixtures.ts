import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import type { Site } from '#site/scenarios/fixtures.ts'
import { startBuiltServer } from '../../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../../scripts/testing/libsql-server.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

type Place = { url: string; sites: [Site, Site] }

/** Two servers for the tests of a block, on one libSQL server of their own. */
export function twoSites(variables: Record<string, string> = {}): () => Place {
  let place: Place | undefined
  const stops: (() => unknown)[] = []
  beforeAll(async () => {
    const database = await startLibsqlServer()
    stops.push(database.stop)
    const settings = { DATABASE_URL: database.url, RSVP_POST_LIMIT: 'off', ...variables }
    // At once, as behind a load balancer: both find an empty database.
    const sites = await Promise.all([startBuiltServer(settings), startBuiltServer(settings)])
    stops.push(...sites.map(({ stop }) => stop))
    place = { url: database.url, sites }
  })
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop()
  })
  return () => {
    if (place === undefined) throw new Error('It has not started.')
    return place
  }
}

/** Runs `rsvp password`, as an administrator does in a terminal on any machine. */
export async function setPasswordAt(url: string, password: string): Promise<void> {
  const command = spawn(join(projectRoot, 'cli', 'rsvp'), ['password'], {
    env: { ...withOverrides(), DATABASE_URL: url },
  })
  command.stdin.end(password)
  expect(await once(command, 'close')).toEqual([0, null])
}
