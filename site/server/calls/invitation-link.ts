import type { APIContext } from 'astro'

/** The link is made of the address by which the owner reached the site: the one that others reach it by too. */
export function withInvitationLink({ id, key }: { id: number; key: string }, { locals }: APIContext) {
  return { json: { id, link: `${locals.origin}/invitation?key=${key}` } }
}
