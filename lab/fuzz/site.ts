import { PASSWORD } from './calls.ts'
import { fuzzMessages } from './raw.ts'
import { fuzzRequests } from './requests.ts'

type Site = { url: string; output(): string }
type Run = { seed: number; requests: number; messages: number; guarded?: boolean }

/** Settings of a server with a password, and without a limit on RSVPs. */
export const GUARDED = { ADMIN_PASSWORD: PASSWORD, RSVP_POST_LIMIT: 'off' }

/** Sends calls, then damaged messages; then checks that the server still works. */
export async function fuzzSite(site: Site, { seed, requests, messages: count, guarded = false }: Run) {
  const calls = await fuzzRequests({ url: site.url, seed, requests, guarded })
  const messages = await fuzzMessages({ url: site.url, seed, messages: count })
  const findings = [...calls.findings, ...messages.findings]
  const status = await statusOf(`${site.url}/share`)
  if (status !== 200) findings.push(`afterwards GET /share got ${status}`)
  // A bug may be in the log although the reply was right, or missing.
  const [bug] = /^.*unexpected error.*$/m.exec(site.output()) ?? []
  if (bug !== undefined) findings.push(`the log has an unexpected error: ${bug}`)
  return { calls, messages, findings }
}

async function statusOf(url: string): Promise<number | string> {
  try {
    return (await fetch(url)).status
  } catch (error) {
    return String(error)
  }
}
