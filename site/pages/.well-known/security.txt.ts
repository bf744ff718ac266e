import type { APIRoute } from 'astro'
import { replyWithSecurityTxt } from '#site/server/security-txt.ts'

/** Whom to tell of a weakness of this site. */
export const GET: APIRoute = replyWithSecurityTxt
