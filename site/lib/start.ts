/** @throws Error if the page lacks the root element, without which no island can work. */
export function startApp(page: Document): void {
  if (page.getElementById('root') === null) throw new Error('Failed to find the root element')
}
