/**
 * Fetches the scripts of all islands once the page is there, also of those further down that start when they come into
 * sight: by then the site may not answer, and Astro gives such an island up.
 */
export function fetchIslands(page: Document): void {
  for (const island of page.querySelectorAll('astro-island')) {
    import(/* @vite-ignore */ island.getAttribute('component-url') ?? '').catch(() => {})
  }
}
