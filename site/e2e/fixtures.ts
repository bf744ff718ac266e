import { test as base, expect } from '@playwright/test'
import { startBuiltServer } from '../../scripts/built-server.mjs'

type Site = Awaited<ReturnType<typeof startBuiltServer>>

/**
 * Every test gets a site of its own: the built server, on a free port, with an empty database. A console error, an
 * exception or a CSP report on any page fails the test, unless the test names it in `expectedErrors`.
 */
export const test = base.extend<{ site: Site; expectedErrors: RegExp[]; watched: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function asks for from its pattern.
  site: async ({}, use) => {
    const site = await startBuiltServer()
    await use(site)
    await site.stop()
  },
  baseURL: async ({ site }, use) => use(site.url),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  expectedErrors: async ({}, use) => use([]),
  watched: [
    async ({ context, expectedErrors }, use) => {
      const errors: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      context.on('weberror', (error) => errors.push(error.error().message))
      await context.addInitScript(() =>
        addEventListener('securitypolicyviolation', (event) => console.error(`CSP: ${event.violatedDirective}`)),
      )
      await use(undefined)
      expect(errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))).toEqual([])
    },
    { auto: true },
  ],
})
export { expect }

/** A response as the form sends it; override what the test is about. */
export function testRsvp(changes: Record<string, unknown> = {}) {
  return { name: 'Ana Cole', email: 'ana@cole.example', attending: true, ...changes }
}

/** Stores responses by the API, oldest first. */
export async function storeRsvps(site: Site, responses: Record<string, unknown>[]): Promise<void> {
  for (const response of responses) {
    const answer = await fetch(`${site.url}/api/rsvp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(response),
    })
    expect(answer.status).toBe(201)
  }
}
