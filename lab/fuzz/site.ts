import { PASSWORD } from './calls.ts'
import { fuzzMessages } from './raw.ts'
import { fuzzRequests } from './requests.ts'

type Site = { url: string; output(): string }
type Run = { seed: number; requests: number; messages: number; guarded?: boolean }

/** Settings of a server that wants a password, and lets one client answer as often as it likes. */
export const GUARDED = { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off' }

/** Calls, then damaged messages, then a look whether the server is as it was. Findings are what must not be. */
export async function fuzzSite(site: Site, { seed, requests, messages: count, guarded = false }: Run) {
  const calls = await fuzzRequests({ url: site.url, seed, requests, guarded })
  const messages = await fuzzMessages({ url: site.url, seed, messages: count })
  const findings = [...calls.findings, ...messages.findings]
  const status = await statusOf(`${site.url}/share`)
  if (status !== 200) findings.push(`afterwards GET /share was answered with ${status}`)
  // Also of what was answered decently, or not at all.
  const [bug] = /^.*unexpected error.*$/m.exec(site.output()) ?? []
  if (bug !== undefined) findings.push(`the log has a bug: ${bug}`)
  return { calls, messages, findings }
}

async function statusOf(url: string): Promise<number | string> {
  try {
    return (await fetch(url)).status
  } catch (error) {
    return String(error)
  }
}
