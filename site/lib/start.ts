/** @throws Error when the page lacks the element that everything stands in: then nothing below can work. */
export function startApp(page: Document): void {
  if (page.getElementById('root') === null) throw new Error('Failed to find the root element')
}
