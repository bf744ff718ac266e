import type { APIRoute } from 'astro'
import { renderSVG } from 'uqr'
import { shareLink } from '#site/lib/links.ts'

/** The white border in modules, without which cameras may not find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** The link to the share page as a QR code, black on white in every color scheme. */
export const GET: APIRoute = ({ locals }) => {
  // 'Q': a quarter of the code may be hidden, e.g. by a fold in a poster.
  const svg = renderSVG(shareLink(locals.origin), { ecc: 'Q', border: QUIET_ZONE })
  // Without this, browsers leave hairlines between the modules.
  const crisp = svg.replace('<svg', '<svg shape-rendering="crispEdges"')
  return new Response(crisp, { headers: { 'content-type': 'image/svg+xml' } })
}
