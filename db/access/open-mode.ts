import type { Config } from '#db/config/config.ts'
import { isLoopback } from './loopback.ts'

/**
 * Why the site may not start in open mode with these settings, in a sentence that says what to do; undefined when it
 * may. Whoever reaches the site can manage it, so it must be reached from this computer only, or be meant for all.
 */
export function openModeRefusal({ host, publicUrl, openToNetwork }: Config): string | undefined {
  if (openToNetwork) return undefined
  const strange = isLoopback(host) ? strangePublicUrl(publicUrl) : `HOST=${host}`
  if (strange === undefined) return undefined
  return (
    `${strange} can be reached from other machines, and no admin password is set. Set one with \`npx rsvp password\`,\n` +
    'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'
  )
}

function strangePublicUrl(publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)) return undefined
  return `PUBLIC_URL=${publicUrl}`
}
