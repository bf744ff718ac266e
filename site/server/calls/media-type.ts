/** What a body says it is, without its parameters, e.g. `application/json`. */
export function mediaType(contentType: string | null | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

/** A form as browsers post it without JavaScript. */
export function isForm(contentType: string | null | undefined): boolean {
  return mediaType(contentType) === 'application/x-www-form-urlencoded'
}
