import type { APIRoute } from 'astro'
import { directionOf } from '#db/values/languages.ts'
import { loadChurch } from '#site/server/church.ts'
import { t } from '#site/texts/texts.ts'

/** Makes the share page installable like an app (https://www.w3.org/TR/appmanifest/). */
export const GET: APIRoute = async ({ locals }) => {
  const { name } = await loadChurch()
  const manifest = {
    id: '/share',
    start_url: '/share',
    scope: '/',
    display: 'standalone',
    name: name ?? t('Worship Service'),
    short_name: name ?? t('Worship'),
    lang: locals.language,
    dir: directionOf(locals.language),
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
