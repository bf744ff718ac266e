import type { APIRoute } from 'astro'
import { replyWithPicture } from '#site/server/church/picture-reply.ts'

/** One size of the church's picture, by its hash and its width. */
export const GET: APIRoute = replyWithPicture
