import type { APIContext } from 'astro'
import { loadChurch } from '#site/server/church/load-church.ts'

/** A name below an icon is cut after about a dozen letters. */
const SHORT_NAME = 'Worship'

/** Replies with what a phone needs to install the page of visitors (https://www.w3.org/TR/appmanifest/). */
export async function replyWithManifest({ locals }: APIContext): Promise<Response> {
  const { name } = await loadChurch(locals.call)
  const manifest = {
    id: '/share',
    start_url: '/share',
    scope: '/',
    display: 'standalone',
    name: name ?? 'Worship Service',
    short_name: name !== null && name.length <= 12 ? name : SHORT_NAME,
    lang: 'en',
    // As --paper in styles/tokens.css.
    background_color: '#f9f3e8',
    theme_color: '#f9f3e8',
    icons: [192, 512].flatMap((size) => [icon('icon', size, 'any'), icon('maskable', size, 'maskable')]),
  }
  return new Response(JSON.stringify(manifest), { headers: { 'content-type': 'application/manifest+json' } })
}

function icon(kind: string, size: number, purpose: string) {
  return { src: `/icons/${kind}-${size}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose }
}
