import type { APIRoute } from 'astro'
import { replyWithSecurityTxt } from '#site/server/security-txt.ts'

/** Contacts for reports of security weaknesses (RFC 9116). */
export const GET: APIRoute = replyWithSecurityTxt
