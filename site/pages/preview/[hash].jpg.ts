import type { APIRoute } from 'astro'
import { replyWithPreview } from '#site/server/preview/reply.ts'

/** The picture that a chat shows beside the link. */
export const GET: APIRoute = replyWithPreview
