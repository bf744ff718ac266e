import type { APIRoute } from 'astro'
import { redirectToSecurityTxt } from '#site/server/security-txt.ts'

/** The older address of the file, before RFC 9116. */
export const GET: APIRoute = redirectToSecurityTxt
