import type { APIRoute } from 'astro'
import { redirectToSecurityTxt } from '#site/server/security-txt.ts'

/** Where the file stood before it had a place of its own. */
export const GET: APIRoute = redirectToSecurityTxt
