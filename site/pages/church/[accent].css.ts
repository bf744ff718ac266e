import type { APIRoute } from 'astro'
import { replyWithAccent } from '#site/server/church/accent-reply.ts'

/** The styles of the church's accent, by the color and their hash. */
export const GET: APIRoute = replyWithAccent
