/**
 * A list as JSON text, a piece a page. `elementsOf` gives the elements of a page, separated by commas; `gap` goes
 * before and after them, e.g. a line break.
 */
export async function* jsonArray<Page>(
  pages: AsyncIterable<Page>,
  elementsOf: (page: Page) => string,
  gap = '',
): AsyncGenerator<string> {
  let lead = `[${gap}`
  for await (const page of pages) {
    const elements = elementsOf(page)
    if (elements === '') continue
    yield lead + elements
    lead = `,${gap}`
  }
  yield lead.startsWith('[') ? `[]${gap}` : `${gap}]${gap}`
}
