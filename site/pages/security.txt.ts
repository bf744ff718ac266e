import type { APIRoute } from 'astro'
import { redirectToSecurityTxt } from '#site/server/security-txt/reply.ts'

/** Where the file stood before it had a place of its own. */
export const GET: APIRoute = redirectToSecurityTxt
