/** JSON that can stand in a script element: nothing in it ends the element or begins a comment. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
