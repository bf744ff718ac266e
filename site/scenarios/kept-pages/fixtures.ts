import { expect } from 'vitest'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'

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

export function drawnAtIn({ body }: Reply): number {
  return Number(/name="drawnAt" value="(\d{13})"/.exec(body)?.[1])
}

/** Loads each page often enough that it is kept. */
export async function keepAll(site: Site): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const path of KEPT_PATHS) expect([path, (await ask(site, `GET ${path}`)).status]).toEqual([path, 200])
}
