import type { APIRoute } from 'astro'
import { UserError } from '#db/errors.ts'
import { lookAddress, lookStyles } from '#site/server/church/church.ts'
import { problemResponse } from '#site/server/problem.ts'
import { unchangingReply } from '#site/server/unchanging-reply.ts'

/** As `lookAddress` writes it: the accent, the focus of the picture, and a hash. */
const LOOK = /^(?:([\da-f]{6})-)?(?:(\d{1,3})x(\d{1,3})-)?[\da-f]{16}$/

/** The styles of a church, computed from the address: nothing is read. */
export const GET: APIRoute = ({ params, url }) => {
  const [found, accent, x, y] = LOOK.exec(params.look ?? '') ?? []
  const look = { accent: accent === undefined ? null : `#${accent}`, focus: x === undefined ? null : `${x},${y}` }
  const styles = lookStyles(look)
  if (found === undefined || lookAddress(look, styles) !== url.pathname) {
    return problemResponse(new UserError('not-found', 'There is no such style sheet. Load the page again.'))
  }
  return unchangingReply(styles, 'text/css; charset=utf-8')
}
