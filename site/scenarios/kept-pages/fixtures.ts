import { expect } from 'vitest'
import { ask, type Site } from '#site/scenarios/fixtures.ts'

/** What visitors get from memory. */
export const KEPT_PATHS = ['/', '/share', '/privacy', '/calendar.ics'].concat(
  ['event', 'features', 'volunteer-roles'].map((call) => `/api/${call}`),
)

/** Loads each page often enough that it is kept. */
export async function keepAll(site: Site): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const path of KEPT_PATHS) expect([path, (await ask(site, `GET ${path}`)).status]).toEqual([path, 200])
}
