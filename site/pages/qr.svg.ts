import type { APIRoute } from 'astro'
import { encode } from 'uqr'
import { shareLink } from '#site/lib/links.ts'

/** Modules of white around the code, without which cameras may not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** The code that was drawn last: a site has one address. */
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
  const path = rows.flatMap((row, y) =>
    runsOf(row).map(({ start, length }) => `M${start} ${y}h${length}v1h-${length}z`),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${8 * size}" height="${8 * size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>`
}

/** Where a row is black: one rectangle for modules side by side. */
function runsOf(row: boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = []
  row.forEach((isBlack, x) => {
    const last = runs.at(-1)
    if (!isBlack) return
    if (last !== undefined && last.start + last.length === x) last.length += 1
    else runs.push({ start: x, length: 1 })
  })
  return runs
}
