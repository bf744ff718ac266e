import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { root } from '../../../scripts/local-node.mjs'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'

/** What visitors get from memory. */
export const KEPT_PATHS = [
  '/',
  '/share',
  '/privacy',
  '/calendar.ics',
  '/api/event',
  '/api/features',
  '/api/volunteer-roles',
]

/** Two random keys were drawn for the form of a page, so it was sent to one visitor alone. */
export function formKeyIn({ body }: Reply): string | undefined {
  return /name="formKey" value="([\w-]{36})"/.exec(body)?.[1]
}

export function drawnAtIn({ body }: Reply): number {
  return Number(/name="drawnAt" value="(\d{13})"/.exec(body)?.[1])
}

/** Loads each page often enough that it is kept. */
export async function keepAll(site: Site): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const path of KEPT_PATHS) expect([path, (await ask(site, `GET ${path}`)).status]).toEqual([path, 200])
}

/** Runs a command on the database of a site: another process that writes. */
export async function rsvpCommand({ folder }: Site, ...words: string[]): Promise<void> {
  const env = { ...withOverrides(), DATABASE_URL: `file:${join(folder, 'rsvp.db')}` }
  const command = spawn(join(root, 'cli', 'rsvp'), words, { env, stdio: 'ignore' })
  expect([words, ...(await once(command, 'close'))]).toEqual([words, 0, null])
}
