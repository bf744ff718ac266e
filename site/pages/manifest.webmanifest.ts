import type { APIRoute } from 'astro'
import { replyWithManifest } from '#site/server/manifest.ts'

/** With which the page of visitors can be installed like an app. */
export const GET: APIRoute = replyWithManifest
