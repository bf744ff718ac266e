import type { APIRoute } from 'astro'
import { shareLink } from '#site/lib/links.ts'
import { qrCode } from '#site/server/qr-code.ts'

/** The link to the share page, for cameras. */
export const GET: APIRoute = ({ locals }) =>
  new Response(qrCode(shareLink(locals.origin)), { headers: { 'content-type': 'image/svg+xml' } })
