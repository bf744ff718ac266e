import type { Config } from '#db/config/config.ts'
import { rsvpCommand } from '#db/config/places.ts'
import { isLoopback } from './loopback.ts'

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it
 * may. Everyone who reaches the site can administer it, so it has to be reachable from this computer only, or be meant
 * to be open.
 */
export function openModeRefusal({ host, publicUrl, openToNetwork }: Config): string | undefined {
  if (openToNetwork) return undefined
  const exposed = isLoopback(host) ? exposedPublicUrl(publicUrl) : `HOST=${host}`
  if (exposed === undefined) return undefined
  return (
    `${exposed} can be reached from other machines, and no admin password is set. Set one with \`${rsvpCommand} password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

function exposedPublicUrl(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL=${publicUrl}`
}
