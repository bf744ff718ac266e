/**
 * Repeats the last press of a button whose island could not follow it yet, once it can.
 *
 * The page holds this function as a script, which runs before its islands have loaded. So it can use nothing from outside
 * itself.
 */
export function repeatEarlyClick(): void {
  let pressed: HTMLElement | null = null
  const repeat = () => pressed?.click()
  addEventListener('click', ({ target }) => {
    pressed = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null
    pressed?.closest('astro-island[ssr]')?.addEventListener('astro:hydrate', repeat, { once: true })
  })
}
