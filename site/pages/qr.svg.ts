import type { APIRoute } from 'astro'
import { encode } from 'uqr'
import { shareLink } from '#site/lib/links.ts'

/** The white border in modules, without which cameras may not find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** The last code drawn: a site has one address. */
let kept = { text: '', svg: '' }

/** The link to the share page as a QR code, black on white in every color scheme. */
export const GET: APIRoute = ({ locals }) => {
  const text = shareLink(locals.origin)
  if (kept.text !== text) kept = { text, svg: draw(text) }
  return new Response(kept.svg, { headers: { 'content-type': 'image/svg+xml' } })
}

function draw(text: string): string {
  // A quarter of it may be hidden, e.g. by a fold in a poster.
  const { data: rows, size } = encode(text, { ecc: 'Q', border: QUIET_ZONE })
  // A rectangle for each run of black modules side by side.
  const path = rows.flatMap((row, y) =>
    Array.from(row.map(Number).join('').matchAll(/1+/g), ({ 0: { length }, index }) => {
      return `M${index} ${y}h${length}v1h-${length}z`
    }),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${8 * size}" height="${8 * size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>`
}
