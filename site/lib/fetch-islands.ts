/**
 * Loads the scripts of all islands at once, including those that start when they become visible: the site may be
 * unreachable by then, and Astro would give up on such an island.
 */
export function fetchIslands(page: Document): void {
  for (const island of page.querySelectorAll('astro-island')) {
    import(/* @vite-ignore */ island.getAttribute('component-url') ?? '').catch(() => {})
  }
}
